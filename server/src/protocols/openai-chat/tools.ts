import type { CanonicalRequest, ResponseFormat, Tool, ToolChoice } from '../canonical/request.ts';
import type { RequestTarget } from '../protocol.ts';
import { encodeFunctionTool, toFreeformTool } from '../translation/freeform-tool.ts';
import { readFields } from '../translation/read-fields.ts';
import { fitStrictly } from '../translation/strict-schema.ts';
import { UntranslatableError } from '../translation/untranslatable.ts';
import { encodeCacheMark, readCacheMark } from './content-parts.ts';
import type { InputFields } from './wire.ts';
import * as wire from './wire.ts';

type Defined<Value> = NonNullable<Value>;

type WireTool = Defined<InputFields['tools']>[number];

/** `noteLeftOut` is called for each tool that only the provider can run. */
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
  const read = readFields(wire.functionTool, tool, path);
  const { name, description, parameters, strict } = read.function;
  return {
    name,
    ...(description != null && { description }),
    parameters: { type: 'object', properties: {}, ...parameters },
    ...(strict != null && { isStrict: strict }),
    ...readCacheMark(read.cache_control ? read : read.function),
  };
}

function decodeCustom(tool: WireTool, path: string, noteLeftOut: (name: string) => void): Tool {
  const read = readFields(wire.customTool, tool, path);
  const { name, description, format } = read.custom;
  if (format?.grammar) noteLeftOut('tools.format');
  return { ...toFreeformTool(name, description, format?.grammar ?? undefined), ...readCacheMark(read) };
}

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
  if (left.length === 0 && choice.mode === 'required') throw refuseDemand('a tool that is not in the list');
  return { tools: left, toolChoice: { kind: choice.mode } };
}

function refuseDemand(what: string): UntranslatableError {
  return new UntranslatableError(
    `'tool_choice' requires ${what}, which the provider of this model does not support.`,
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

/** Returns no fields if there are no tools, because providers reject a choice without tools. */
export function encodeTools(
  { tools, toolChoice, isParallelToolUse }: CanonicalRequest,
  { dialect }: RequestTarget,
  warn: (name: string) => void,
): object {
  if (tools.length === 0) return {};
  return {
    tools: tools.map((tool) => ({
      ...encodeTool(tool, warn),
      ...(dialect?.takesCacheMarks && encodeCacheMark(tool)),
    })),
    ...(toolChoice && { tool_choice: encodeToolChoice(toolChoice) }),
    ...(isParallelToolUse !== undefined && { parallel_tool_calls: isParallelToolUse }),
  };
}

function encodeTool(tool: Tool, warn: (name: string) => void): object {
  const { schema, ...strict } = fitStrictly(tool.parameters, tool.isStrict, warn);
  return encodeFunctionTool({ ...tool, parameters: schema }, strict);
}

function encodeToolChoice(choice: ToolChoice): string | object {
  return choice.kind === 'tool' ? { type: 'function', function: { name: choice.name } } : choice.kind;
}

export function encodeResponseFormat(format: ResponseFormat, warn: (name: string) => void): object {
  if (format.kind === 'json') return { type: 'json_object' };
  const { name, description } = format;
  return {
    type: 'json_schema',
    json_schema: {
      name,
      ...(description !== undefined && { description }),
      ...fitStrictly(format.schema, format.isStrict, warn),
    },
  };
}
