import type { AnswerFailure } from '../canonical/response.ts';
import type { StreamDecoder, StreamEvent } from '../canonical/stream-event.ts';
import { parseObject, readText } from '../json/json-value.ts';
import { type BlockWriter, createBlockWriter } from '../translation/block-writer.ts';
import { describeFailure } from '../translation/classify-failure.ts';
import { type CallReader, createCallReader } from './call-reader.ts';
import { readFailure } from './errors.ts';
import { readFailedFinish, readFinish } from './finish-reason.ts';
import { createTextReader, type TextReader } from './text-reader.ts';
import { readUsage } from './usage.ts';
import type { WireEvent } from './wire.ts';

interface State {
  readonly emit: (event: StreamEvent) => void;
  readonly writer: BlockWriter;
  readonly texts: TextReader;
  readonly calls: CallReader;
  answerId: string | null;
  isStarted: boolean;
  /** Whether the final event or an error has been received; later events are ignored. */
  isOver: boolean;
}

/** Creates a decoder for Cohere's streams. A stream that breaks off ends without `finish` and `end`. */
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
  // Some streams send this marker after their last event; by itself it does not end the response.
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
