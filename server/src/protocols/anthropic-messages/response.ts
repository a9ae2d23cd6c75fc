import { parseExactly } from '#json/exact-json.ts';
import { isObject } from '#json/json-value.ts';
import { quickParse } from '#json/quick-check.ts';
import type { AssistantPart } from '../canonical/content.ts';
import { type CanonicalResponse, errorOnly, type Finish, type FinishReason } from '../canonical/response.ts';
import type { Usage } from '../canonical/usage.ts';
import type { AnswerContext } from '../protocol.ts';
import { answerToolName } from './answer-format.ts';
import { decodeAssistantBlocks, encodeAnswerParts } from './assistant-blocks.ts';
import { readFailure } from './errors.ts';
import * as wire from './wire.ts';

const reasons: Readonly<Record<string, FinishReason>> = {
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  refusal: 'content-filter',
};

/**
 * Maps Anthropic's stop reason. `hasCalls` determines whether the response ended with tool calls, because calls of
 * server tools and of the structured answer tool also end with `tool_use`.
 */
export function readFinish(
  native: string | null | undefined,
  stopSequence: string | null | undefined,
  hasCalls: boolean,
): Finish {
  const told = native != null && Object.hasOwn(reasons, native) ? reasons[native] : undefined;
  const reason = told ?? (hasCalls ? 'tool-calls' : 'stop');
  return {
    reason,
    native: native ?? null,
    ...(native === 'stop_sequence' && typeof stopSequence === 'string' && { stopSequence }),
  };
}

/** `error` maps to `end_turn`, since Anthropic has no stop reason for errors. */
export function writeStopReason({ reason, stopSequence }: Finish): string {
  switch (reason) {
    case 'length':
      return 'max_tokens';
    case 'tool-calls':
      return 'tool_use';
    case 'content-filter':
      return 'refusal';
    case 'stop':
    case 'error':
      return stopSequence === undefined ? 'end_turn' : 'stop_sequence';
  }
}

/** Returns Anthropic's usage in disjoint buckets, including all iterations; `null` if the usage is invalid. */
export function readUsage(value: unknown): Usage | null {
  const reported = mergeUsage(null, value);
  return reported && sumUsage(reported);
}

/**
 * Merges the usage of a stream event with the usage of earlier events. Counts are cumulative; counts omitted by a
 * later event keep their value. Returns `before` if `value` is invalid.
 */
export function mergeUsage(before: wire.ReportedUsage | null, value: unknown): wire.ReportedUsage | null {
  const parsed = quickParse(wire.usage, value);
  if (!parsed.success) return before;
  const usage = parsed.data;
  if (usage.output_tokens == null && usage.input_tokens == null) return before;
  return { ...before, ...Object.fromEntries(Object.entries(usage).filter(([, field]) => field != null)) };
}

/**
 * Types of iterations that produce the response: the model's own, and those of a fallback model after the first model
 * declined.
 */
const ownTypes: ReadonlySet<string> = new Set(['message', 'fallback_message']);

/**
 * Returns the tokens of all iterations. The response's own counts exclude compactions and advisors and, with server
 * tools, may include only the first iteration's input. An attempt that was declined without output is not billed.
 */
export function sumUsage(reported: wire.ReportedUsage): Usage {
  const iterations = reported.iterations ?? [];
  const hasFallback = iterations.some(({ type }) => type === 'fallback_message');
  const isOwn = ({ type }: wire.Iteration) => ownTypes.has(type ?? 'message');
  const isBilled = (counts: wire.Iteration) =>
    !hasFallback || !isOwn(counts) || Boolean(counts.output_tokens);
  const billed = iterations.filter(isBilled);
  const sumOf = (some: readonly wire.Iteration[]) => some.map(toBuckets).reduce(add, noTokens);
  const own = combine(toBuckets(reported), sumOf(billed.filter(isOwn)), Math.max);
  return toUsage(add(own, sumOf(billed.filter((iteration) => !isOwn(iteration)))));
}

type Buckets = Readonly<
  Record<'input' | 'cacheRead' | 'cacheWrite' | 'hourWrite' | 'output' | 'thinking', number>
>;

const noTokens: Buckets = { input: 0, cacheRead: 0, cacheWrite: 0, hourWrite: 0, output: 0, thinking: 0 };

function toBuckets(counts: wire.Counts): Buckets {
  const cacheWrite = counts.cache_creation_input_tokens ?? 0;
  const output = counts.output_tokens ?? 0;
  return {
    input: counts.input_tokens ?? 0,
    cacheRead: counts.cache_read_input_tokens ?? 0,
    cacheWrite,
    hourWrite: Math.min(counts.cache_creation?.ephemeral_1h_input_tokens ?? 0, cacheWrite),
    output,
    thinking: Math.min(counts.output_tokens_details?.thinking_tokens ?? 0, output),
  };
}

/** Caps each sum, so that the request log can store it. */
const add = (one: Buckets, other: Buckets) => combine(one, other, (a, b) => Math.min(a + b, wire.countMax));

function combine(one: Buckets, other: Buckets, how: (a: number, b: number) => number): Buckets {
  return {
    input: how(one.input, other.input),
    cacheRead: how(one.cacheRead, other.cacheRead),
    cacheWrite: how(one.cacheWrite, other.cacheWrite),
    hourWrite: how(one.hourWrite, other.hourWrite),
    output: how(one.output, other.output),
    thinking: how(one.thinking, other.thinking),
  };
}

function toUsage({ input, cacheRead, cacheWrite, hourWrite, output, thinking }: Buckets): Usage {
  return {
    inputTokens: input,
    cacheReadTokens: cacheRead,
    cacheWriteTokens: cacheWrite,
    ...(hourWrite > 0 && { cacheWriteHourTokens: hourWrite }),
    outputTokens: output,
    reasoningTokens: thinking,
  };
}

export function writeUsage(usage: Usage | null): object {
  const hourTokens = usage?.cacheWriteHourTokens ?? 0;
  const writeTokens = usage?.cacheWriteTokens ?? 0;
  return {
    input_tokens: usage?.inputTokens ?? 0,
    cache_creation_input_tokens: writeTokens,
    cache_read_input_tokens: usage?.cacheReadTokens ?? 0,
    ...(hourTokens > 0 && {
      cache_creation: {
        ephemeral_5m_input_tokens: writeTokens - hourTokens,
        ephemeral_1h_input_tokens: hourTokens,
      },
    }),
    output_tokens: usage?.outputTokens ?? 0,
    ...(usage !== null &&
      usage.reasoningTokens > 0 && {
        output_tokens_details: { thinking_tokens: usage.reasoningTokens },
      }),
  };
}

/** Decodes a complete response or an error; returns `null` for other bodies, such as a proxy's HTML page. */
export function decodeResponse(body: Buffer): CanonicalResponse | null {
  try {
    const value = parseExactly(body.toString());
    return isObject(value) && 'error' in value && value.error
      ? errorOnly(readFailure(value.error))
      : translate(wire.answer.parse(value));
  } catch {
    return null;
  }
}

function translate(answer: wire.Answer): CanonicalResponse {
  const { parts } = decodeAssistantBlocks(answer.content, ['content']);
  const hasCalls = parts.some((part) => part.type === 'tool-call' && part.name !== answerToolName);
  const explanation = answer.stop_details?.explanation;
  return {
    id: answer.id || null,
    model: answer.model || null,
    createdAtSeconds: null,
    choices: [
      {
        parts: [
          ...parts.map(openAnswer),
          ...(explanation ? [{ type: 'refusal', text: explanation } as const] : []),
        ],
        finish: readFinish(answer.stop_reason, answer.stop_sequence, hasCalls),
      },
    ],
    usage: readUsage(answer.usage),
  };
}

function openAnswer(part: AssistantPart): AssistantPart {
  return part.type === 'tool-call' && part.name === answerToolName
    ? { type: 'text', text: part.arguments }
    : part;
}

export function encodeResponse(response: CanonicalResponse, context: AnswerContext): object {
  const [choice] = response.choices;
  const parts = choice?.parts ?? [];
  const refusal = parts.flatMap((part) => (part.type === 'refusal' ? [part.text] : [])).join('');
  return {
    ...encodeIdentity(response.id, response.model, context),
    content: encodeAnswerParts(parts),
    ...encodeStop(choice?.finish ?? { reason: 'stop', native: null }, refusal),
    usage: writeUsage(response.usage),
  };
}

/** Values that the provider omits are taken from the request. */
export function encodeIdentity(id: string | null, model: string | null, context: AnswerContext): object {
  return {
    id: id ?? `msg_${context.requestId}`,
    type: 'message',
    role: 'assistant',
    model: model ?? context.model,
  };
}

export function encodeStop(finish: Finish, refusal: string): object {
  return {
    stop_reason: refusal === '' ? writeStopReason(finish) : 'refusal',
    stop_sequence: finish.stopSequence ?? null,
    ...(refusal !== '' && { stop_details: { type: 'refusal', category: null, explanation: refusal } }),
  };
}
