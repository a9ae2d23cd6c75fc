import type { CanonicalRequest, ResponseFormat, Tool, ToolChoice } from '../canonical/request.ts';
import { encodeFunctionTool } from '../function-tool.ts';
import type { InputFields } from './wire.ts';

type Defined<Value> = NonNullable<Value>;

export function decodeTool({ function: declared }: Defined<InputFields['tools']>[number]): Tool {
  const { name, description, parameters, strict } = declared;
  return {
    name,
    ...(description != null && { description }),
    parameters: { type: 'object', properties: {}, ...parameters },
    ...(strict != null && { isStrict: strict }),
  };
}

export function decodeToolChoice(choice: Defined<InputFields['tool_choice']>): ToolChoice {
  return typeof choice === 'string' ? { kind: choice } : { kind: 'tool', name: choice.name };
}

export function decodeResponseFormat(
  format: Defined<InputFields['response_format']>,
): ResponseFormat | undefined {
  if (format.type === 'text') return undefined;
  if (format.type === 'json_object') return { kind: 'json' };
  const { name, description, schema, strict } = format.json_schema;
  return {
    kind: 'json-schema',
    name,
    schema: schema ?? {},
    ...(description != null && { description }),
    ...(strict != null && { isStrict: strict }),
  };
}

/** The fields about tools; none without tools, because a choice among none is refused. */
export function encodeTools({ tools, toolChoice, isParallelToolUse }: CanonicalRequest): object {
  if (tools.length === 0) return {};
  return {
    tools: tools.map(encodeTool),
    ...(toolChoice && { tool_choice: encodeToolChoice(toolChoice) }),
    ...(isParallelToolUse !== undefined && { parallel_tool_calls: isParallelToolUse }),
  };
}

function encodeTool(tool: Tool): object {
  return encodeFunctionTool(tool, tool.isStrict === undefined ? {} : { strict: tool.isStrict });
}

function encodeToolChoice(choice: ToolChoice): string | object {
  return choice.kind === 'tool' ? { type: 'function', function: { name: choice.name } } : choice.kind;
}

export function encodeResponseFormat(format: ResponseFormat): object {
  if (format.kind === 'json') return { type: 'json_object' };
  const { name, schema, description, isStrict } = format;
  return {
    type: 'json_schema',
    json_schema: {
      name,
      ...(description !== undefined && { description }),
      schema,
      ...(isStrict !== undefined && { strict: isStrict }),
    },
  };
}
