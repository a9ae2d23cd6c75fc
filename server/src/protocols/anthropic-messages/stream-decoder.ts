import { quickParse } from '#json/quick-check.ts';
import type { AnswerFailure } from '../canonical/response.ts';
import type { StreamDecoder, StreamEvent } from '../canonical/stream-event.ts';
import type { AnyBlock } from './block.ts';
import { readFailure } from './errors.ts';
import { mergeUsage, readFinish, sumUsage } from './response.ts';
import { closeBlock, type OpenBlock, openBlock, writeDelta } from './stream-block.ts';
import * as wire from './wire.ts';

interface State {
  isStarted: boolean;
  isFinished: boolean;
  /** Whether the end marker or an error has been received. Later events are ignored. */
  isOver: boolean;
  open: OpenBlock | null;
  /** Number of closed blocks, which numbers the next one. Excludes server tool and unknown blocks. */
  blockCount: number;
  hasCalls: boolean;
  usage: wire.ReportedUsage | null;
  stop: Pick<wire.Answer, 'stop_reason' | 'stop_sequence' | 'stop_details'>;
}

/** An incomplete stream produces no `finish` and `end` events. */
export function createStreamDecoder(): StreamDecoder {
  const state: State = {
    isStarted: false,
    isFinished: false,
    isOver: false,
    open: null,
    blockCount: 0,
    hasCalls: false,
    usage: null,
    stop: {},
  };
  return {
    decode: ({ event, data }) =>
      state.isOver || data === '' || data === '[DONE]' ? [] : read(state, event, data),
    end: () => (state.isOver ? [] : close(state)),
  };
}

const knownTypes = new Set([
  'message_start',
  'content_block_start',
  'content_block_delta',
  'content_block_stop',
  'message_delta',
  'message_stop',
  'error',
]);

function read(state: State, name: string, data: string): readonly StreamEvent[] {
  const value = parseObject(data);
  const type = typeof value?.type === 'string' ? value.type : value?.error ? 'error' : name;
  // Check before the schema, because unknown events may have any shape.
  if (value && !knownTypes.has(type)) return [];
  const parsed = quickParse(wire.streamEvent, value);
  return parsed.success ? handle(state, parsed.data, type) : fail(state, unreadable);
}

const unreadable: AnswerFailure = {
  code: 'upstream_invalid_response',
  message: 'The provider sent a stream event that cannot be read.',
};

function parseObject(data: string): { readonly type?: unknown; readonly error?: unknown } | null {
  try {
    const value: unknown = JSON.parse(data);
    return typeof value === 'object' && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}

function handle(state: State, event: wire.StreamEvent, type: string): readonly StreamEvent[] {
  switch (type) {
    case 'message_start':
      return state.isStarted ? [] : start(state, event.message ?? {});
    case 'content_block_start':
      return [...ensureStarted(state), ...begin(state, event.content_block, event.index ?? null)];
    case 'content_block_delta':
      return [...ensureStarted(state), ...grow(state, event)];
    case 'content_block_stop':
      return state.open?.index === (event.index ?? null) ? close(state) : [];
    case 'message_delta':
      if (event.delta?.stop_reason) state.stop = event.delta;
      return [...ensureStarted(state), ...close(state), ...takeUsage(state, event.usage), ...finish(state)];
    case 'message_stop': {
      const last = [...ensureStarted(state), ...close(state), ...finish(state)];
      state.isOver = true;
      return [...last, { type: 'end' }];
    }
    case 'error':
      return fail(state, readFailure(event.error));
    default:
      return [];
  }
}

function start(state: State, message: Partial<NonNullable<wire.StreamEvent['message']>>): StreamEvent[] {
  state.isStarted = true;
  state.stop = message;
  // After server tool calls, a provider may send complete blocks in the start event.
  const blocks = message.content ?? [];
  return [
    { type: 'start', id: message.id || null, model: message.model || null, createdAtSeconds: null },
    ...takeUsage(state, message.usage),
    ...blocks.flatMap((block) => [...begin(state, block, null), ...close(state)]),
  ];
}

function ensureStarted(state: State): StreamEvent[] {
  return state.isStarted ? [] : start(state, {});
}

function begin(state: State, block: AnyBlock | null | undefined, index: number | null): StreamEvent[] {
  const before = close(state);
  const opened = openBlock(block ?? { type: '' }, index, state.blockCount);
  state.open = opened.block;
  if (opened.block.kind === 'call') state.hasCalls = true;
  return [...before, ...opened.events];
}

// Text and thinking are accepted even if a provider does not open their block.
function grow(state: State, { delta, index }: wire.StreamEvent): StreamEvent[] {
  if (!delta) return [];
  const kind = delta.type === 'text_delta' ? 'text' : delta.type === 'thinking_delta' ? 'thinking' : null;
  const isOpen = state.open !== null && state.open.index === (index ?? null);
  const opening = kind !== null && !isOpen ? begin(state, { type: kind }, index ?? null) : [];
  return state.open && (isOpen || kind !== null) ? [...opening, ...writeDelta(state.open, delta)] : [];
}

function close(state: State): StreamEvent[] {
  if (state.open === null) return [];
  const events = closeBlock(state.open);
  if (state.open.isBegun) state.blockCount++;
  state.open = null;
  return events;
}

function takeUsage(state: State, value: unknown): StreamEvent[] {
  const reported = mergeUsage(state.usage, value);
  if (reported === null || reported === state.usage) return [];
  state.usage = reported;
  return [{ type: 'usage', usage: sumUsage(reported) }];
}

function finish(state: State): StreamEvent[] {
  const { stop_reason, stop_sequence, stop_details } = state.stop;
  if (state.isFinished || typeof stop_reason !== 'string') return [];
  state.isFinished = true;
  const explanation = stop_details?.explanation;
  return [
    ...(explanation ? [{ type: 'refusal-delta', choice: 0, text: explanation } as const] : []),
    { type: 'finish', choice: 0, finish: readFinish(stop_reason, stop_sequence, state.hasCalls) },
  ];
}

function fail(state: State, failure: AnswerFailure): StreamEvent[] {
  const closing = close(state);
  state.isOver = true;
  return [...closing, { type: 'error', ...failure }];
}
