import type { CanonicalRequest, ResponseFormat, Tool, ToolChoice } from '../canonical/request.ts';
import { toFreeformTool } from '../translation/freeform-tool.ts';
import { encodeFunctionTool } from '../translation/function-tool.ts';
import { readFields } from '../translation/read-fields.ts';
import { UntranslatableError } from '../translation/untranslatable.ts';
import type { InputFields } from './wire.ts';
import * as wire from './wire.ts';

type Defined<Value> = NonNullable<Value>;

type WireTool = Defined<InputFields['tools']>[number];

/** Decodes the caller's own tools; `noteLeftOut` is called with those that only the provider can run. */
export function decodeTools(tools: InputFields['tools'], noteLeftOut: (name: string) => void): Tool[] {
  return (tools ?? []).flatMap((tool, index) => {
    const path = `tools[${index}]`;
    if (tool.type === 'function') return [decodeFunction(tool, path)];
    if (tool.type === 'custom') return [decodeCustom(tool, path, noteLeftOut)];
    noteLeftOut(`tools.${tool.type}`);
    return [];
  });
}

function decodeFunction(tool: WireTool, path: string): Tool {
  const { name, description, parameters, strict } = readFields(wire.functionTool, tool, path).function;
  return {
    name,
    ...(description != null && { description }),
    parameters: { type: 'object', properties: {}, ...parameters },
    ...(strict != null && { isStrict: strict }),
  };
}

function decodeCustom(tool: WireTool, path: string, noteLeftOut: (name: string) => void): Tool {
  const { name, description, format } = readFields(wire.customTool, tool, path).custom;
  if (format?.grammar) noteLeftOut('tools.format');
  return toFreeformTool(name, description, format?.grammar ?? undefined);
}

/** Decodes the tool choice, which may reduce the remaining tools. */
export function decodeToolChoice(
  { tool_choice: choice, tools: given }: Pick<InputFields, 'tool_choice' | 'tools'>,
  tools: readonly Tool[],
): Pick<CanonicalRequest, 'tools' | 'toolChoice'> {
  if (choice == null) return { tools };
  if (choice === 'required' && given?.length && tools.length === 0) throw refuseDemand('a call');
  if (typeof choice === 'string') return { tools, toolChoice: { kind: choice } };
  if (!('mode' in choice)) {
    if (choice.name !== undefined) return { tools, toolChoice: { kind: 'tool', name: choice.name } };
    throw refuseDemand(`a tool of type '${choice.type}'`);
  }
  const names = new Set(choice.tools.map(({ name }) => name));
  const left = tools.filter(({ name }) => names.has(name));
  if (left.length === 0 && choice.mode === 'required') throw refuseDemand('a tool that is not among them');
  return { tools: left, toolChoice: { kind: choice.mode } };
}

function refuseDemand(what: string): UntranslatableError {
  return new UntranslatableError(
    `'tool_choice' demands ${what}, and the provider of this model has no such tool.`,
    'tool_choice',
  );
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

/** Encodes the tool fields; none without tools, because providers reject a choice without tools. */
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
