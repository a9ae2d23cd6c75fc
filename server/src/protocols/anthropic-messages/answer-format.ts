import { isSchema, type JsonSchema, mapSubschemas } from '#json/json-schema.ts';
import type { CanonicalRequest, ResponseFormat } from '../canonical/request.ts';
import { describeSchema } from '../translation/described-schema.ts';
import { UntranslatableError } from '../translation/untranslatable.ts';
import type { ModelTraits } from './model-traits.ts';

/** Schema keywords that Anthropic rejects in structured output and strict tools. */
const unenforced = [
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'maxItems',
  'uniqueItems',
  'minProperties',
  'maxProperties',
];

/**
 * Returns a schema that Anthropic can enforce: objects are closed, `oneOf` becomes `anyOf`, and unsupported constraints
 * move to the description.
 */
export function closeSchema(schema: JsonSchema): JsonSchema {
  const keywords = Object.entries(schema);
  const told = Object.fromEntries(keywords.filter(isUnenforced));
  const closed: Record<string, unknown> = Object.fromEntries(
    keywords
      .filter((entry) => !isUnenforced(entry))
      .map(([keyword, value]) => [
        keyword === 'oneOf' ? 'anyOf' : keyword,
        mapSubschemas(keyword, value, closeSchema),
      ]),
  );
  if (schema.type === 'object' || isSchema(schema.properties)) closed.additionalProperties ??= false;
  if (Object.keys(told).length > 0) {
    const bounds = `Must satisfy ${JSON.stringify(told)}.`;
    closed.description = typeof schema.description === 'string' ? `${schema.description} ${bounds}` : bounds;
  }
  return closed;
}

/**
 * Returns whether every object of a schema may be closed. Anthropic rejects schemas that allow undeclared properties.
 */
export function canClose(schema: JsonSchema): boolean {
  const { additionalProperties } = schema;
  let isClosed = additionalProperties === undefined || additionalProperties === false;
  const check = (inner: JsonSchema) => {
    isClosed &&= canClose(inner);
    return inner;
  };
  for (const [keyword, value] of Object.entries(schema)) mapSubschemas(keyword, value, check);
  return isClosed;
}

function isUnenforced([keyword, value]: [string, unknown]): boolean {
  return unenforced.includes(keyword) || (keyword === 'minItems' && value !== 0 && value !== 1);
}

/**
 * Name of the tool that models without structured output are forced to call. The call's input is the response.
 * Decoders recognize the tool by this name, so callers cannot use it for their own tools.
 */
export const answerToolName = 'sluice_structured_answer';

export interface FormatPlan {
  /** Value of `output_config.format`. */
  readonly outputFormat?: object;
  readonly answerTool?: object;
  readonly instruction?: string;
}

export function planFormat(
  { responseFormat, tools, toolChoice }: CanonicalRequest,
  traits: ModelTraits,
): FormatPlan {
  if (tools.some(({ name }) => name === answerToolName))
    throw new UntranslatableError(
      `The tool name '${answerToolName}' is reserved; use another name.`,
      'tools',
    );
  if (responseFormat === undefined) return {};
  if (responseFormat.kind === 'json') return { instruction: jsonInstruction };
  if (traits.hasOutputFormat && canClose(responseFormat.schema)) {
    const schema = closeSchema(describeSchema(responseFormat));
    return { outputFormat: { type: 'json_schema', schema } };
  }
  // If a tool call is forced, the response is the call and has no text to format.
  const isCallForced = toolChoice?.kind === 'required' || toolChoice?.kind === 'tool';
  return isCallForced && tools.length > 0 ? {} : { answerTool: encodeAnswerTool(responseFormat) };
}

const jsonInstruction =
  'Answer with a single JSON object and nothing else: no words around it and no code fence.';

function encodeAnswerTool(format: Extract<ResponseFormat, { kind: 'json-schema' }>): object {
  if (format.schema.type !== undefined && format.schema.type !== 'object')
    throw new UntranslatableError(
      'This model accepts a JSON schema only if the root type is object.',
      'response_format',
    );
  const purpose = format.description ?? `an answer of the form '${format.name}'`;
  return {
    name: answerToolName,
    description: `Gives the final answer to the user. Its input is the answer: ${purpose}.`,
    input_schema: { ...format.schema, type: 'object' },
  };
}
