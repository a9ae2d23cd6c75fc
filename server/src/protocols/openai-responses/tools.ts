import type { CanonicalRequest, ResponseFormat, Tool, ToolChoice } from '../canonical/request.ts';
import { readFields } from '../read-fields.ts';
import { UntranslatableError } from '../untranslatable.ts';
import type { NoteLeftOut } from './content-parts.ts';
import { describeFreeformTool } from './freeform-tools.ts';
import type { ResponsesRequest } from './wire.ts';
import * as wire from './wire.ts';

type WireTool = NonNullable<ResponsesRequest['tools']>[number];

/** Tools that the provider brings along, and that an answer can do without. */
const builtIn =
  /^(web_search|file_search|code_interpreter|image_generation|mcp$|computer|local_shell$|shell$|apply_patch$|tool_search$|x_search$|collections_search$)/;

/** The caller's own tools; `noteLeftOut` hears of those that only OpenAI has. */
export function decodeTools(tools: ResponsesRequest['tools'], noteLeftOut: NoteLeftOut): Tool[] {
  return (tools ?? []).flatMap((tool, index) => {
    const path = `tools[${index}]`;
    if (tool.type === 'function') return [decodeFunction(tool, path, noteLeftOut)];
    if (tool.type === 'custom') return [decodeCustom(tool, path, noteLeftOut)];
    if (!builtIn.test(tool.type))
      throw new UntranslatableError(
        `The provider of this model speaks another protocol, which has no tool of type '${tool.type}'.`,
        `${path}.type`,
      );
    noteLeftOut(`tools.${tool.type}`);
    return [];
  });
}

function decodeFunction(tool: WireTool, path: string, noteLeftOut: NoteLeftOut): Tool {
  const {
    type: _,
    name,
    description,
    parameters,
    strict,
    ...extras
  } = readFields(wire.functionTool, tool, path);
  for (const [field, value] of Object.entries(extras)) if (value != null) noteLeftOut(`tools.${field}`);
  return {
    name,
    ...(description != null && { description }),
    parameters: { type: 'object', properties: {}, ...parameters },
    ...(strict != null && { isStrict: strict }),
  };
}

function decodeCustom(tool: WireTool, path: string, noteLeftOut: NoteLeftOut): Tool {
  const { name, description, format } = readFields(wire.customTool, tool, path);
  if (format?.definition == null) return describeFreeformTool(name, description ?? '', '');
  // Nobody else makes a model keep to a grammar; it can only be told of it.
  noteLeftOut('tools.format');
  const grammar = `The input must conform to this ${format.syntax ?? ''} grammar:\n${format.definition}`;
  return describeFreeformTool(name, description ?? '', grammar);
}

/** The choice among the tools that are left, which `allowed_tools` may make fewer. */
export function decodeToolChoice(
  choice: ResponsesRequest['tool_choice'],
  tools: readonly Tool[],
): { readonly tools: readonly Tool[]; readonly toolChoice?: ToolChoice } {
  if (choice == null) return { tools };
  if (typeof choice === 'string') return { tools, toolChoice: decodeMode(choice, tools) };
  switch (choice.type) {
    case 'function':
    case 'custom':
      return { tools, toolChoice: { kind: 'tool', ...pickName(choice) } };
    case 'allowed_tools': {
      const allowed = readFields(wire.allowedTools, choice, 'tool_choice');
      const names = new Set(allowed.tools.map(({ name }) => name));
      const left = tools.filter(({ name }) => names.has(name));
      return { tools: left, toolChoice: decodeMode(allowed.mode, left) };
    }
    default:
      throw new UntranslatableError(
        `The provider of this model has no tool of type '${choice.type}', which 'tool_choice' demands.`,
        'tool_choice',
      );
  }
}

function pickName(choice: object): { readonly name: string } {
  const { name } = readFields(wire.namedChoice, choice, 'tool_choice');
  return { name };
}

function decodeMode(mode: string, tools: readonly Tool[]): ToolChoice {
  if (mode === 'auto' || mode === 'none') return { kind: mode };
  if (mode !== 'required')
    throw new UntranslatableError(`Invalid value for 'tool_choice': '${mode}'.`, 'tool_choice');
  if (tools.length === 0)
    throw new UntranslatableError(
      "'tool_choice' demands a call, and the provider of this model has none of the tools.",
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
      `Invalid value for 'text.format.type': '${format.type}'.`,
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

/** The fields about tools; none without tools, because a choice among none is refused. */
export function encodeTools({ tools, toolChoice, isParallelToolUse }: CanonicalRequest): object {
  if (tools.length === 0) return {};
  return {
    tools: tools.map(encodeTool),
    ...(toolChoice && { tool_choice: encodeChoice(toolChoice) }),
    ...(isParallelToolUse !== undefined && { parallel_tool_calls: isParallelToolUse }),
  };
}

function encodeTool({ name, description, parameters, isStrict }: Tool): object {
  return {
    type: 'function',
    name,
    ...(description !== undefined && { description }),
    parameters,
    // Left out, it would mean yes here, and no in other protocols.
    strict: isStrict ?? false,
  };
}

function encodeChoice(choice: ToolChoice): string | object {
  return choice.kind === 'tool' ? { type: 'function', name: choice.name } : choice.kind;
}

export function encodeFormat(format: ResponseFormat): object {
  if (format.kind === 'json') return { type: 'json_object' };
  const { name, schema, description, isStrict } = format;
  return {
    type: 'json_schema',
    name,
    ...(description !== undefined && { description }),
    schema,
    ...(isStrict !== undefined && { strict: isStrict }),
  };
}
