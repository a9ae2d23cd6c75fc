import { isObject, readText } from '#json/json-value.ts';
import { quickParse } from '#json/quick-check.ts';
import { type CanonicalResponse, errorOnly, type Finish, type FinishReason } from '../canonical/response.ts';
import type { StreamEvent } from '../canonical/stream-event.ts';
import type { Usage } from '../canonical/usage.ts';
import { appendText, type BlockWriter, createBlockWriter } from '../translation/block-writer.ts';
import { fillArguments } from '../translation/call-arguments.ts';
import { collectChoices, findFailure } from '../translation/collect-choices.ts';
import { makeCallId } from '../translation/tool-names.ts';
import { readFailure } from './errors.ts';
import * as wire from './wire.ts';
import { parseAnswer, type WireAnswer, type WireToolCall } from './wire.ts';

/**
 * Decodes a complete response or an error; returns `null` for incomplete and other bodies. A response is read as a
 * stream of one line, so that both forms are decoded alike.
 */
export function decodeResponse(body: Buffer): CanonicalResponse | null {
  const answer = parseAnswer(body.toString());
  if (!answer) return null;
  if (answer.error != null) return errorOnly(readFailure(answer));
  if (!isObject(answer.message) || answer.done === false) return null;
  const events = createAnswerReader().read({ ...answer, done: true });
  const failure = findFailure(events);
  const identity = events.find((event) => event.type === 'start');
  return {
    id: null,
    model: identity?.model ?? null,
    createdAtSeconds: identity?.createdAtSeconds ?? null,
    choices: collectChoices(events),
    usage: events.findLast((event) => event.type === 'usage')?.usage ?? null,
    ...(failure && { failure }),
  };
}

/** Ollama's finish reasons. `load` and `unload` are sent without a response. Unknown values map to `stop`. */
const reasons: Readonly<Record<string, FinishReason>> = {
  stop: 'stop',
  length: 'length',
  load: 'error',
  unload: 'error',
};

/** `stop` is also used for a response with tool calls, which `hasCalls` indicates. */
export function readFinish(native: unknown, hasCalls: boolean): Finish {
  const word = typeof native === 'string' ? native : null;
  const reason = (word !== null && Object.hasOwn(reasons, word) && reasons[word]) || 'stop';
  return { reason: reason === 'stop' && hasCalls ? 'tool-calls' : reason, native: word };
}

export interface AnswerReader {
  read(answer: WireAnswer): StreamEvent[];
  close(): StreamEvent[];
}

export function createAnswerReader(): AnswerReader {
  let events: StreamEvent[] = [];
  let seed: string | null = null;
  const emit = (event: StreamEvent) => events.push(event);
  const writer = createBlockWriter(0, emit);
  const calls = createCallReader(writer, () => `${seed}`);

  const identify = ({ model, created_at: createdAt }: WireAnswer) => {
    seed = `${readText(model)}/${readText(createdAt)}`;
    const createdAtSeconds = readSeconds(createdAt);
    emit({ type: 'start', id: null, model: readText(model) || null, createdAtSeconds });
  };
  const finish = (answer: WireAnswer) => {
    writer.close();
    const usage = readUsage(answer);
    if (usage) emit({ type: 'usage', usage });
    emit({ type: 'finish', choice: 0, finish: readFinish(answer.done_reason, calls.count() > 0) });
  };

  return {
    read(answer) {
      events = [];
      const { message, done } = answer;
      if (seed === null && (message || done === true)) identify(answer);
      appendText(writer, 'reasoning', readText(message?.thinking));
      appendText(writer, 'text', readText(message?.content));
      calls.read(message?.tool_calls);
      if (done === true) finish(answer);
      return events;
    },
    close() {
      events = [];
      writer.close();
      return events;
    },
  };
}

function readSeconds(time: unknown): number | null {
  const timeMs = Date.parse(readText(time));
  return Number.isNaN(timeMs) ? null : Math.floor(timeMs / 1_000);
}

/** Returns `null` if the line has no counters. */
export function readUsage(value: unknown): Usage | null {
  const { data } = quickParse(wire.counters, value);
  if (data?.prompt_eval_count == null && data?.eval_count == null) return null;
  return {
    inputTokens: data.prompt_eval_count ?? 0,
    cacheReadTokens: 0,
    cacheWriteTokens: 0,
    outputTokens: data.eval_count ?? 0,
    reasoningTokens: 0,
  };
}

export interface CallReader {
  read(calls: unknown): void;
  count(): number;
}

/** `seed` must be unique to this response, so that generated call IDs do not repeat in a conversation. */
function createCallReader(writer: BlockWriter, seed: () => string): CallReader {
  let count = 0;
  const readCall = ({ id, function: called }: WireToolCall) => {
    const name = readText(called?.name);
    const json = writeArguments(called?.arguments);
    const callId = readText(id) || makeCallId(`${seed()}/${count}/${name}/${json}`);
    count++;
    writer.begin({
      kind: 'tool-input',
      id: callId,
      name,
      text: json === '{}' ? '' : json,
      isWhole: true,
    });
  };
  return {
    read(calls) {
      if (Array.isArray(calls)) for (const call of calls.filter(isObject)) readCall(call);
    },
    count: () => count,
  };
}

function writeArguments(value: unknown): string {
  return isObject(value) ? JSON.stringify(value) : fillArguments(readText(value));
}
