import type { z } from 'zod';
import { toRequestProblem } from '../caller-request/caller-body.ts';
import type { Message } from '../canonical/content.ts';
import type { CanonicalRequest, Tool, ToolChoice } from '../canonical/request.ts';
import { UntranslatableError } from '../translation/untranslatable.ts';
import { answerToolName, canClose, closeSchema, type FormatPlan } from './answer-format.ts';
import { encodeCacheMark, readBlock, readCacheMark } from './block.ts';
import type { ModelTraits } from './model-traits.ts';
import * as wire from './wire.ts';

type WireTools = Pick<wire.MessagesRequest, 'tools' | 'tool_choice' | 'messages'>;
type WireTool = NonNullable<WireTools['tools']>[number];

export interface DecodedTools {
  readonly tools: readonly Tool[];
  readonly toolChoice?: ToolChoice;
  readonly isParallelToolUse?: boolean;
}

/**
 * Decodes the tool choice and the caller's own tools, except tools that a system turn removed. `noteLeftOut` is
 * called for each tool that Anthropic defines or runs.
 */
export function decodeTools(fields: WireTools, noteLeftOut: (name: string) => void): DecodedTools {
  const tools = new Map<string, Tool>();
  const foreign = new Set<unknown>();
  const add = (raw: WireTool, path: readonly PropertyKey[]) => {
    const isForeign = raw.type != null && raw.type !== 'custom';
    if (isForeign) {
      noteLeftOut(`tools.${raw.type}`);
      foreign.add(raw.name);
    } else {
      const tool = decodeTool(raw, path);
      tools.set(tool.name, tool);
    }
  };
  for (const [index, raw] of (fields.tools ?? []).entries()) add(raw, ['tools', index]);
  for (const { change, path } of listToolChanges(fields.messages)) {
    if (change.type === 'tool_removal') tools.delete(change.tool.name ?? '');
    else if (change.tool.definition) add(change.tool.definition, [...path, 'tool', 'definition']);
  }
  const offered = [...tools.values()];
  return { tools: offered, ...decodeToolChoice(fields, offered, foreign) };
}

/** System turns may add and remove tools. A change without a definition refers to a tool that is already declared. */
function listToolChanges(messages: WireTools['messages']) {
  return messages.flatMap(({ role, content }, index) =>
    role !== 'system' || typeof content === 'string'
      ? []
      : content.flatMap((block, place) => {
          const path = ['messages', index, 'content', place];
          const change = readBlock(wire.toolChange, block, path);
          return change ? [{ change, path }] : [];
        }),
  );
}

function decodeTool(raw: WireTool, path: readonly PropertyKey[]): Tool {
  const parsed = wire.clientTool.safeParse(raw);
  if (!parsed.success) {
    const { message, param } = toRequestProblem(parsed.error, path);
    throw new UntranslatableError(message, param);
  }
  const { name, input_schema, strict } = parsed.data;
  const description = describe(parsed.data);
  return {
    name,
    ...(description !== '' && { description }),
    parameters: { ...input_schema, type: 'object' },
    ...(typeof strict === 'boolean' && { isStrict: strict }),
    ...readCacheMark(raw),
  };
}

/** Other protocols have no field for examples, so examples are appended to the description. */
function describe({ description, input_examples: examples }: z.infer<typeof wire.clientTool>): string {
  const listed = (examples ?? []).map((example) => JSON.stringify(example)).join('\n');
  return [description, listed && `Examples of its input:\n${listed}`].filter(Boolean).join('\n\n');
}

function decodeToolChoice(
  { tool_choice: choice }: WireTools,
  offered: readonly Tool[],
  foreign: ReadonlySet<unknown>,
): Omit<DecodedTools, 'tools'> {
  if (!choice) return {};
  const isDemanded =
    (choice.type === 'any' && offered.length === 0) || (choice.type === 'tool' && foreign.has(choice.name));
  if (isDemanded && foreign.size > 0)
    throw new UntranslatableError(
      "'tool_choice' requires a tool that is supported by Anthropic only, and this model belongs to another provider.",
      'tool_choice',
    );
  const isSerial = choice.disable_parallel_tool_use;
  return {
    toolChoice: decodeChoice(choice),
    ...(typeof isSerial === 'boolean' && { isParallelToolUse: !isSerial }),
  };
}

function decodeChoice({ type, name }: NonNullable<WireTools['tool_choice']>): ToolChoice {
  if (type === 'any') return { kind: 'required' };
  if (type !== 'tool') return { kind: type };
  if (typeof name === 'string') return { kind: 'tool', name };
  throw new UntranslatableError("Missing required field 'tool_choice.name'.", 'tool_choice.name');
}

export interface EncodedTools {
  readonly tools?: readonly object[];
  readonly tool_choice?: object;
}

export function encodeTools(
  { tools, toolChoice, isParallelToolUse, messages }: CanonicalRequest,
  format: FormatPlan,
  traits: ModelTraits,
): EncodedTools {
  const { answerTool } = format;
  const encoded = tools.map((tool) => encodeTool(tool, traits));
  if (answerTool) {
    const choice =
      encoded.length === 0 || toolChoice?.kind === 'none'
        ? { type: 'tool', name: answerToolName }
        : { type: 'any' };
    return {
      tools: [...encoded, answerTool],
      tool_choice: { ...choice, disable_parallel_tool_use: true },
    };
  }
  if (encoded.length === 0) return declareCalledTools(messages);
  const choice = encodeChoice(toolChoice, isParallelToolUse);
  return { tools: encoded, ...(choice && { tool_choice: choice }) };
}

/**
 * Anthropic rejects calls in the history without declared tools, so the called tools are declared but no calls are
 * allowed.
 */
function declareCalledTools(messages: readonly Message[]): EncodedTools {
  const called = messages.flatMap(({ parts }) =>
    parts.flatMap((part) => (part.type === 'tool-call' ? [part.name] : [])),
  );
  if (called.length === 0) return {};
  const tools = [...new Set(called)].map((name) => ({ name, input_schema: { type: 'object' } }));
  return { tools, tool_choice: { type: 'none' } };
}

function encodeTool(tool: Tool, traits: ModelTraits): object {
  const { name, description, parameters } = tool;
  const isEnforced = isEnforceable(tool, traits);
  return {
    name,
    ...(description !== undefined && { description }),
    input_schema: isEnforced ? closeSchema(parameters) : parameters,
    ...(isEnforced && { strict: true }),
    ...encodeCacheMark(tool),
  };
}

/**
 * Returns whether the model enforces a tool's schema. Only models with structured output do, and only for closed
 * schemas.
 */
export function isEnforceable({ isStrict, parameters }: Tool, { hasOutputFormat }: ModelTraits): boolean {
  return isStrict === true && hasOutputFormat && canClose(parameters);
}

function encodeChoice(choice: ToolChoice | undefined, isParallel: boolean | undefined): object | null {
  if (choice?.kind === 'none') return { type: 'none' };
  if (choice === undefined && isParallel === undefined) return null;
  const serial = isParallel === undefined ? {} : { disable_parallel_tool_use: !isParallel };
  switch (choice?.kind) {
    case 'required':
      return { type: 'any', ...serial };
    case 'tool':
      return { type: 'tool', name: choice.name, ...serial };
    default:
      return { type: 'auto', ...serial };
  }
}
