import { isObject, parseObject, readText } from '#json/json-value.ts';
import { quickParse } from '#json/quick-check.ts';
import type { AssistantPart, ToolCallPart } from '../canonical/content.ts';
import {
  type AnswerFailure,
  type CanonicalResponse,
  errorOnly,
  type Finish,
  type FinishReason,
  failureOf,
} from '../canonical/response.ts';
import type { Usage } from '../canonical/usage.ts';
import { fillArguments } from '../translation/call-arguments.ts';
import { describeFailure } from '../translation/classify-failure.ts';
import { findCommonCode } from '../translation/error-meanings.ts';
import { makeCallId } from '../translation/tool-names.ts';
import { readFailure } from './errors.ts';
import * as wire from './wire.ts';
import { parseAnswer, type WireContent, type WireToolCall } from './wire.ts';

/** Unknown values map to `stop`. */
const reasons: Readonly<Record<string, FinishReason>> = {
  COMPLETE: 'stop',
  STOP_SEQUENCE: 'stop',
  MAX_TOKENS: 'length',
  ERROR_LIMIT: 'length',
  TOOL_CALL: 'tool-calls',
  ERROR_TOXIC: 'content-filter',
  ERROR: 'error',
  TIMEOUT: 'error',
};

/** `hasCalls` means that a complete response ended with tool calls. `error` explains a failed response. */
export function readFinish(native: unknown, hasCalls: boolean, error?: unknown): Finish {
  const word = typeof native === 'string' ? native : null;
  const told = (word !== null && Object.hasOwn(reasons, word) && reasons[word]) || 'stop';
  const message = told === 'error' ? readText(error) : '';
  const isWhole = told === 'stop' || told === 'tool-calls';
  return {
    reason: isWhole ? (hasCalls ? 'tool-calls' : 'stop') : told,
    native: word,
    ...(message !== '' && { message }),
  };
}

/**
 * Returns the failure of a response that Cohere ended with an error. Only the message shows its meaning, since there
 * is no error code.
 */
export function readFailedFinish(finish: Finish): AnswerFailure {
  const { message = '', native } = finish;
  const code = native === 'TIMEOUT' ? null : findCommonCode([], message);
  return code === null ? failureOf(finish) : describeFailure({ message, code, param: null });
}

/** Decodes a complete response or an error; returns `null` for other bodies, such as a proxy's HTML page. */
export function decodeResponse(body: Buffer): CanonicalResponse | null {
  const answer = parseAnswer(body.toString());
  if (!answer) {
    const failure = readFailure(parseObject(body.toString()));
    return failure && errorOnly(failure);
  }
  const id = readText(answer.id) || null;
  const { content, tool_plan: plan, tool_calls: called } = answer.message;
  const calls = listObjects<WireToolCall>(called).map((call, index) => decodeCall(call, `${id}/${index}`));
  const finish = readFinish(answer.finish_reason, calls.length > 0, answer.error);
  const parts: AssistantPart[] = [...decodeContent(content), ...decodeThought(plan), ...calls];
  return {
    id,
    model: null,
    createdAtSeconds: null,
    choices: [{ parts, finish }],
    usage: readUsage(answer.usage),
    ...(finish.reason === 'error' && { failure: readFailedFinish(finish) }),
  };
}

function decodeContent(content: unknown): AssistantPart[] {
  if (typeof content === 'string') return decodeText(content);
  return listObjects<WireContent>(content).flatMap(({ text, thinking }) => [
    ...decodeThought(thinking),
    ...decodeText(text),
  ]);
}

function decodeText(text: unknown): AssistantPart[] {
  return readText(text) === '' ? [] : [{ type: 'text', text: readText(text) }];
}

function decodeThought(text: unknown): AssistantPart[] {
  return readText(text) === '' ? [] : [{ type: 'reasoning', text: readText(text), isRedacted: false }];
}

function decodeCall({ id, function: called }: WireToolCall, place: string): ToolCallPart {
  const name = readText(called?.name);
  return {
    type: 'tool-call',
    id: readText(id) || makeCallId(`${place}/${name}`),
    name,
    arguments: fillArguments(readText(called?.arguments)),
  };
}

function listObjects<Shape extends object>(value: unknown): Partial<Shape>[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** Returns `null` if the usage is missing or invalid. */
export function readUsage(value: unknown): Usage | null {
  const parsed = quickParse(wire.usage, value);
  const told = parsed.data?.tokens ?? parsed.data?.billed_units;
  if (!told || (told.input_tokens == null && told.output_tokens == null)) return null;
  const wholeInput = (told.input_tokens ?? 0) + (told.image_tokens ?? 0);
  const outputTokens = told.output_tokens ?? 0;
  const cacheReadTokens = Math.min(parsed.data?.cached_tokens ?? 0, wholeInput);
  return {
    inputTokens: wholeInput - cacheReadTokens,
    cacheReadTokens,
    cacheWriteTokens: 0,
    outputTokens,
    reasoningTokens: Math.min(told.reasoning_tokens ?? 0, outputTokens),
  };
}
