import type { CanonicalRequest, ResponseFormat } from '../canonical/request.ts';
import { UntranslatableError } from '../translation/untranslatable.ts';
import type { ModelTraits } from './model-traits.ts';
import { closeSchema } from './output-schema.ts';

/**
 * The tool that a model without structured output is made to call: its input is the answer. The name says so to the
 * decoders, which have no other way to know, and is therefore closed to callers' own tools.
 */
export const answerToolName = 'sluice_structured_answer';

/** How a model is brought to answer in a caller's format. */
export interface FormatPlan {
  /** For `output_config.format`. */
  readonly outputFormat?: object;
  readonly answerTool?: object;
  /** To be said in the system text. */
  readonly instruction?: string;
}

export function planFormat(
  { responseFormat, tools, toolChoice }: CanonicalRequest,
  traits: ModelTraits,
): FormatPlan {
  if (tools.some(({ name }) => name === answerToolName))
    throw new UntranslatableError(`The tool name '${answerToolName}' is reserved.`, 'tools');
  if (responseFormat === undefined) return {};
  if (responseFormat.kind === 'json') return { instruction: jsonInstruction };
  if (traits.hasOutputFormat) {
    const schema = closeSchema(responseFormat.schema);
    return { outputFormat: { type: 'json_schema', schema } };
  }
  // A call that is forced anyway is no answer, so the format has nothing to shape yet.
  const isCallForced = toolChoice?.kind === 'required' || toolChoice?.kind === 'tool';
  return isCallForced && tools.length > 0 ? {} : { answerTool: encodeAnswerTool(responseFormat) };
}

const jsonInstruction =
  'Answer with a single JSON object and nothing else: no words around it and no code fence.';

function encodeAnswerTool(format: Extract<ResponseFormat, { kind: 'json-schema' }>): object {
  if (format.schema.type !== undefined && format.schema.type !== 'object')
    throw new UntranslatableError(
      'This model can answer by a JSON schema only when its outermost type is object.',
      'response_format',
    );
  const purpose = format.description ?? `an answer of the form '${format.name}'`;
  return {
    name: answerToolName,
    description: `Gives the final answer to the user. Its input is the answer: ${purpose}.`,
    input_schema: { ...format.schema, type: 'object' },
  };
}
