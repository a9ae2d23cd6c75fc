import type { ToolName } from '../canonical/content.ts';
import type { CanonicalRequest, ResponseFormat, Tool, ToolChoice } from '../canonical/request.ts';
import { toFreeformTool } from '../translation/freeform-tool.ts';
import { readFields } from '../translation/read-fields.ts';
import { fitStrictly } from '../translation/strict-schema.ts';
import { UntranslatableError } from '../translation/untranslatable.ts';
import type { NoteLeftOut } from './content-parts.ts';
import type { ResponsesRequest } from './wire.ts';
import * as wire from './wire.ts';

type WireTool = NonNullable<ResponsesRequest['tools']>[number];

/**
 * The first tool of a namespace gets the namespace's description. `noteLeftOut` is called for tools that only OpenAI
 * runs and for unknown types.
 */
export function decodeTools(
  { tools, input }: Pick<ResponsesRequest, 'tools' | 'input'>,
  noteLeftOut: NoteLeftOut,
): Tool[] {
  const items = typeof input === 'string' ? [] : (input ?? []);
  const brought = items.flatMap((item, index) =>
    bringsTools.has(item.type ?? '')
      ? decodeList(readFields(wire.toolList, item, `input[${index}]`), `input[${index}].tools`, noteLeftOut)
      : [],
  );
  return [...decodeList({ tools }, 'tools', noteLeftOut), ...brought];
}

/** Types of items with tools that the model may call after the item. */
export const bringsTools: ReadonlySet<string> = new Set(['additional_tools', 'tool_search_output']);

const openaiToolTypes: ReadonlySet<unknown> = new Set(['custom', 'namespace', 'tool_search']);
const openaiItemTypes: ReadonlySet<unknown> = new Set([
  ...bringsTools,
  'custom_tool_call',
  'custom_tool_call_output',
  'tool_search_call',
]);

/**
 * Returns whether a request has tools, or their calls and results, that vendors with a partial Responses API reject.
 */
export function hasOpenaiTools({ tools, input }: Pick<ResponsesRequest, 'tools' | 'input'>): boolean {
  const items = typeof input === 'string' ? [] : (input ?? []);
  return (
    (tools ?? []).some(({ type }) => openaiToolTypes.has(type)) ||
    items.some(({ type, namespace }) => openaiItemTypes.has(type) || namespace != null)
  );
}

function decodeList(
  { tools }: { readonly tools?: readonly WireTool[] | null | undefined },
  path: string,
  noteLeftOut: NoteLeftOut,
): Tool[] {
  return (tools ?? []).flatMap((tool, index) => decodeTool(tool, `${path}[${index}]`, noteLeftOut));
}

function decodeTool(tool: WireTool, path: string, noteLeftOut: NoteLeftOut): Tool[] {
  switch (tool.type) {
    case 'function':
      return [decodeFunction(tool, path)];
    case 'custom':
      return [decodeCustom(tool, path, noteLeftOut)];
    case 'namespace':
      return decodeNamespace(tool, path, noteLeftOut);
    default:
      noteLeftOut(`tools.${tool.type}`);
      return [];
  }
}

function decodeNamespace(tool: WireTool, path: string, noteLeftOut: NoteLeftOut): Tool[] {
  const { name: namespace, description, tools } = readFields(wire.namespaceTool, tool, path);
  const [first, ...others] = decodeList({ tools }, `${path}.tools`, noteLeftOut);
  if (!first) return [];
  const told = [description, first.description].filter(Boolean).join('\n\n');
  return [{ ...first, ...(told !== '' && { description: told }) }, ...others].map((own) => ({
    ...own,
    namespace,
  }));
}

function decodeFunction(tool: WireTool, path: string): Tool {
  const { name, description, parameters, strict } = readFields(wire.functionTool, tool, path);
  return {
    name,
    ...(description != null && { description }),
    parameters: { type: 'object', properties: {}, ...parameters },
    ...(strict != null && { isStrict: strict }),
  };
}

function decodeCustom(tool: WireTool, path: string, noteLeftOut: NoteLeftOut): Tool {
  const { name, description, format } = readFields(wire.customTool, tool, path);
  if (format?.definition == null) return toFreeformTool(name, description, undefined);
  noteLeftOut('tools.format');
  return toFreeformTool(name, description, { ...format, definition: format.definition });
}

/** `allowed_tools` may restrict the tools. */
export function decodeToolChoice(
  choice: ResponsesRequest['tool_choice'],
  tools: readonly Tool[],
): { readonly tools: readonly Tool[]; readonly toolChoice?: ToolChoice } {
  if (choice == null) return { tools };
  if (typeof choice === 'string') return { tools, toolChoice: decodeMode(choice, tools) };
  switch (choice.type) {
    case 'function':
    case 'custom':
      return { tools, toolChoice: { kind: 'tool', ...findNamed(choice, tools) } };
    case 'namespace':
    case 'allowed_tools': {
      const { mode, tools: allowed } = readAllowed(choice);
      const left = tools.filter(createAllowedCheck(allowed));
      return { tools: left, toolChoice: decodeMode(mode, left) };
    }
    default:
      throw new UntranslatableError(
        `The provider of this model does not support tools of type '${choice.type}', which 'tool_choice' requires.`,
        'tool_choice',
      );
  }
}

/** If the choice has no namespace and exactly one tool has its name, the namespace of that tool is used. */
function findNamed(choice: object, tools: readonly Tool[]): ToolName {
  const { name, namespace } = readFields(wire.namedChoice, choice, 'tool_choice');
  if (namespace != null) return { name, namespace };
  const [found, another] = tools.filter((tool) => tool.name === name);
  const isPlain = another !== undefined || found?.namespace === undefined;
  return isPlain ? { name } : { name, namespace: found.namespace };
}

function readAllowed(choice: { readonly type: string }): wire.AllowedTools {
  if (choice.type === 'allowed_tools') return readFields(wire.allowedTools, choice, 'tool_choice');
  const { name } = readFields(wire.namedChoice, choice, 'tool_choice');
  return { mode: 'required', tools: [{ type: 'namespace', name }] };
}

/** The check does not search the list, because both lists may be long. */
function createAllowedCheck(entries: wire.AllowedTools['tools']): (tool: Tool) => boolean {
  const namespaces = new Set<unknown>();
  const names = new Set<unknown>();
  const qualified = new Set<string>();
  const keyOf = (name: unknown, namespace: unknown) => JSON.stringify([namespace, name]);
  for (const { type, name, namespace } of entries) {
    if (type === 'namespace') namespaces.add(name);
    else if (namespace == null) names.add(name);
    else qualified.add(keyOf(name, namespace));
  }
  return ({ name, namespace }) =>
    namespaces.has(namespace) || names.has(name) || qualified.has(keyOf(name, namespace));
}

function decodeMode(mode: string, tools: readonly Tool[]): ToolChoice {
  if (mode === 'auto' || mode === 'none') return { kind: mode };
  if (mode !== 'required')
    throw new UntranslatableError(
      `Invalid value for 'tool_choice': '${mode}'. Use 'auto', 'none' or 'required'.`,
      'tool_choice',
    );
  if (tools.length === 0)
    throw new UntranslatableError(
      "'tool_choice' requires a call, and the provider of this model supports none of the tools.",
      'tool_choice',
    );
  return { kind: 'required' };
}

type Format = NonNullable<NonNullable<ResponsesRequest['text']>['format']>;

export function decodeFormat(format: Format): ResponseFormat | undefined {
  if (format.type === 'text') return undefined;
  if (format.type === 'json_object') return { kind: 'json' };
  if (format.type !== 'json_schema')
    throw new UntranslatableError(
      `Invalid value for 'text.format.type': '${format.type}'. Use 'text', 'json_object' or 'json_schema'.`,
      'text.format.type',
    );
  const { name, schema, description, strict } = readFields(wire.jsonSchemaFormat, format, 'text.format');
  return {
    kind: 'json-schema',
    name,
    schema,
    ...(description != null && { description }),
    ...(strict != null && { isStrict: strict }),
  };
}

/** Returns no fields if there are no tools, because providers reject a choice without tools. */
export function encodeTools(
  { tools, toolChoice, isParallelToolUse }: CanonicalRequest,
  warn: (name: string) => void,
): object {
  if (tools.length === 0) return {};
  return {
    tools: tools.map((tool) => encodeTool(tool, warn)),
    ...(toolChoice && { tool_choice: encodeChoice(toolChoice) }),
    ...(isParallelToolUse !== undefined && { parallel_tool_calls: isParallelToolUse }),
  };
}

function encodeTool({ name, description, parameters, isStrict }: Tool, warn: (name: string) => void): object {
  // OpenAI assumes true if `strict` is absent, whereas other protocols assume false.
  const { schema, strict = false } = fitStrictly(parameters, isStrict, warn);
  return {
    type: 'function',
    name,
    ...(description !== undefined && { description }),
    parameters: schema,
    strict,
  };
}

function encodeChoice(choice: ToolChoice): string | object {
  return choice.kind === 'tool' ? { type: 'function', name: choice.name } : choice.kind;
}

export function encodeFormat(format: ResponseFormat, warn: (name: string) => void): object {
  if (format.kind === 'json') return { type: 'json_object' };
  const { name, description } = format;
  return {
    type: 'json_schema',
    name,
    ...(description !== undefined && { description }),
    ...fitStrictly(format.schema, format.isStrict, warn),
  };
}
