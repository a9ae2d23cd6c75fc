import { isObject, parseObject, readText } from '#json/json-value.ts';
import type { AnswerFailure } from '../canonical/response.ts';
import type { StreamDecoder, StreamEvent } from '../canonical/stream-event.ts';
import {
  type Block,
  type BlockWriter,
  type CallBlock,
  createBlockWriter,
  openSpeech,
} from '../translation/block-writer.ts';
import { describeFailure } from '../translation/classify-failure.ts';
import { makeCallId } from '../translation/tool-names.ts';
import { readFailure } from './errors.ts';
import { readFailedFinish, readFinish, readUsage } from './response.ts';
import type { WireContent, WireEvent, WireToolCall } from './wire.ts';

interface State {
  readonly emit: (event: StreamEvent) => void;
  readonly writer: BlockWriter;
  readonly texts: TextReader;
  readonly calls: CallReader;
  answerId: string | null;
  isStarted: boolean;
  /** Whether the final event or an error has been received. Later events are ignored. */
  isOver: boolean;
}

/** An incomplete stream produces no `finish` and `end` events. */
export function createStreamDecoder(): StreamDecoder {
  let events: StreamEvent[] = [];
  const emit = (event: StreamEvent) => events.push(event);
  const writer = createBlockWriter(0, emit);
  const state: State = {
    emit,
    writer,
    texts: createTextReader(writer),
    calls: createCallReader(writer, () => `${state.answerId}`),
    answerId: null,
    isStarted: false,
    isOver: false,
  };
  const collect = (step: () => void) => {
    events = [];
    step();
    return events;
  };
  return {
    decode: ({ event, data }) => collect(() => decode(state, event, data)),
    end: () => collect(writer.close),
  };
}

function decode(state: State, name: string, data: string): void {
  // Some streams send this marker after their last event. The marker alone does not end the response.
  if (state.isOver || data === '' || data === '[DONE]') return;
  const event: WireEvent | null = parseObject(data);
  const type = readText(event?.type) || name;
  const isError = type === 'error' || name === 'error';
  const error = event && (isError || event.type === undefined) ? readFailure(event) : null;
  if (!event) fail(state, notJson);
  else if (error) fail(state, error);
  else if (isError) fail(state, wordless);
  else if (knownTypes.has(type)) read(state, type, event);
}

const notJson: AnswerFailure = {
  code: 'upstream_invalid_response',
  message: 'The provider sent a stream event that is not JSON.',
};

const wordless = describeFailure(null);

const knownTypes: ReadonlySet<string> = new Set([
  'message-start',
  'content-start',
  'content-delta',
  'tool-plan-delta',
  'tool-call-start',
  'tool-call-delta',
  'tool-call-end',
  'message-end',
]);

function read(state: State, type: string, { id, index, delta }: WireEvent): void {
  const { texts, calls } = state;
  const message = delta?.message;
  start(state, id);
  switch (type) {
    case 'content-start':
    case 'content-delta':
      texts.readContent(index, message?.content);
      break;
    case 'tool-plan-delta':
      texts.readPlan(message?.tool_plan);
      break;
    case 'tool-call-start':
      calls.start(index, message?.tool_calls);
      break;
    case 'tool-call-delta':
      calls.grow(index, message?.tool_calls);
      break;
    case 'tool-call-end':
      calls.end(index);
      break;
    case 'message-end':
      finish(state, delta ?? {});
  }
}

/** Emits `start` with the first known event, which may not be `message-start`. */
function start(state: State, id: unknown): void {
  if (state.isStarted) return;
  state.isStarted = true;
  state.answerId = readText(id) || null;
  state.emit({ type: 'start', id: state.answerId, model: null, createdAtSeconds: null });
}

function finish(state: State, delta: NonNullable<WireEvent['delta']>): void {
  const { calls, emit, writer } = state;
  const answerFinish = readFinish(delta.finish_reason, calls.count() > 0, delta.error);
  const usage = readUsage(delta.usage);
  writer.close();
  if (usage) emit({ type: 'usage', usage });
  if (answerFinish.reason === 'error') fail(state, readFailedFinish(answerFinish));
  else {
    emit({ type: 'finish', choice: 0, finish: answerFinish });
    emit({ type: 'end' });
  }
  state.isOver = true;
}

function fail(state: State, failure: AnswerFailure): void {
  state.writer.close();
  state.emit({ type: 'error', ...failure });
  state.isOver = true;
}

interface TextReader {
  readContent(index: unknown, content: unknown): void;
  readPlan(plan: unknown): void;
}

function createTextReader(writer: BlockWriter): TextReader {
  let spoken: { readonly source: string; readonly block: Block } | null = null;

  /** Appends to the block of this source. Starts a new block if another block was opened in between. */
  const grow = (kind: 'text' | 'reasoning', source: string, piece: unknown) => {
    const text = readText(piece);
    if (text === '') return;
    if (spoken?.source !== source || writer.latest() !== spoken.block) {
      spoken = { source, block: openSpeech(kind) };
      writer.begin(spoken.block);
    }
    writer.grow(spoken.block, text);
  };

  return {
    readContent(index, content) {
      if (!isObject(content)) return;
      const { thinking, text }: WireContent = content;
      grow('reasoning', `thinking ${index}`, thinking);
      grow('text', `text ${index}`, text);
    },
    readPlan: (plan) => grow('reasoning', 'plan', plan),
  };
}

/** Events of the same call share an index. */
interface CallReader {
  start(index: unknown, call: unknown): void;
  grow(index: unknown, call: unknown): void;
  end(index: unknown): void;
  count(): number;
}

interface OpenCall {
  readonly block: CallBlock;
  /** Arguments not yet emitted, because they may turn out to be `null`. */
  held: string;
}

/** `seed` must be unique to this response, so that generated call IDs do not repeat in a conversation. */
function createCallReader(writer: BlockWriter, seed: () => string): CallReader {
  const calls = new Map<unknown, OpenCall>();
  let count = 0;

  const grow = (index: unknown, call: unknown) => {
    const open = calls.get(index);
    if (!open || !isObject(call)) return;
    const { function: called }: WireToolCall = call;
    open.held += readText(called?.arguments);
    // Cohere may write missing arguments as `null`.
    if ('null'.startsWith(open.held.trim())) return;
    writer.grow(open.block, open.held);
    open.held = '';
  };

  return {
    start(index, call) {
      const { id, function: called }: WireToolCall = isObject(call) ? call : {};
      const name = readText(called?.name);
      const callId = readText(id) || makeCallId(`${seed()}/${count}/${name}`);
      const block: CallBlock = { kind: 'tool-input', id: callId, name, text: '' };
      count++;
      calls.set(index, { block, held: '' });
      writer.begin(block);
      grow(index, call);
    },
    grow,
    end(index) {
      const open = calls.get(index);
      if (open) open.block.isWhole = true;
      calls.delete(index);
    },
    count: () => count,
  };
}
