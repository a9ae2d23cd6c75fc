import { describeIssue } from '../caller-body.ts';
import type { CanonicalRequest, Tool, ToolChoice } from '../canonical/request.ts';
import { UntranslatableError } from '../untranslatable.ts';
import { answerToolName, type FormatPlan } from './answer-format.ts';
import type { ModelTraits } from './model-traits.ts';
import { closeSchema } from './output-schema.ts';
import * as wire from './wire.ts';

type WireTools = Pick<wire.MessagesRequest, 'tools' | 'tool_choice'>;

/** The tools of the caller's own; throws for those that Anthropic has defined or would run itself. */
export function decodeTools({ tools }: Pick<WireTools, 'tools'>): Tool[] {
  return (tools ?? []).map((raw, index) => {
    if (raw.type != null && raw.type !== 'custom')
      throw new UntranslatableError(
        `The tool type '${raw.type}' is known to Anthropic only, and this model is another provider's.`,
        `tools[${index}].type`,
      );
    const parsed = wire.clientTool.safeParse(raw);
    if (!parsed.success) {
      const { message, param } = describeIssue(parsed.error, ['tools', index]);
      throw new UntranslatableError(message, param);
    }
    const { name, description, input_schema, strict } = parsed.data;
    return {
      name,
      ...(typeof description === 'string' && { description }),
      parameters: { ...input_schema, type: 'object' },
      ...(typeof strict === 'boolean' && { isStrict: strict }),
    };
  });
}

export function decodeToolChoice({ tool_choice: choice }: Pick<WireTools, 'tool_choice'>): {
  readonly toolChoice?: ToolChoice;
  readonly isParallelToolUse?: boolean;
} {
  if (!choice) return {};
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
  throw new UntranslatableError("Invalid value for 'tool_choice.name': it is missing.", 'tool_choice.name');
}

export interface EncodedTools {
  readonly tools?: readonly object[];
  readonly tool_choice?: object;
}

/** Tools and the choice among them, with the answer's own tool where the format needs one. */
export function encodeTools(
  { tools, toolChoice, isParallelToolUse }: CanonicalRequest,
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
  if (encoded.length === 0) return {};
  const choice = encodeChoice(toolChoice, isParallelToolUse);
  return { tools: encoded, ...(choice && { tool_choice: choice }) };
}

function encodeTool({ name, description, parameters, isStrict }: Tool, traits: ModelTraits): object {
  const isEnforced = isStrict === true && traits.hasOutputFormat;
  return {
    name,
    ...(description !== undefined && { description }),
    input_schema: isEnforced ? closeSchema(parameters) : parameters,
    ...(isEnforced && { strict: true }),
  };
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
