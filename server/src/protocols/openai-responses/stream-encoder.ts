import type { AnswerFailure, CanonicalResponse, Finish } from '../canonical/response.ts';
import type { StreamEncoder, StreamEvent } from '../canonical/stream-event.ts';
import type { Usage } from '../canonical/usage.ts';
import type { AnswerContext } from '../protocol.ts';
import { toErrorFacts } from '../translation/classify-failure.ts';
import { encodeErrorFields, encodeFailure, writeFrame } from './errors.ts';
import { createOutput, finishOutput, type Output, writePiece } from './output-writer.ts';
import {
  encodeHead,
  encodeResponseObject,
  type ResponseHead,
  type ResponseStatus,
  writeEnding,
} from './response-object.ts';

interface State {
  readonly context: AnswerContext;
  readonly output: Output;
  head: ResponseHead | null;
  usage: Usage | null;
  finish: Finish | null;
  isOver: boolean;
}

const nobody = { id: null, createdAtSeconds: null, model: null };

/** The last event repeats the complete response and is sent only after the provider's own end. */
export function createStreamEncoder(context: AnswerContext): StreamEncoder {
  let bytes = '';
  let sequenceNumber = 0;
  let choice: number | null = null;
  const output = createOutput({
    requestId: context.requestId,
    sendEvent(type, fields) {
      bytes += writeFrame(type, { sequence_number: sequenceNumber++, ...fields });
    },
  });
  const state: State = { context, output, head: null, usage: null, finish: null, isOver: false };
  return {
    encode(event) {
      if (state.isOver) return '';
      // The Responses API has a single choice. Keeps the first one, since its index is not 0 at some providers.
      if ('choice' in event) {
        choice ??= event.choice;
        if (event.choice !== choice) return '';
      }
      bytes = '';
      write(state, event);
      return bytes;
    },
  };
}

function write(state: State, event: StreamEvent): void {
  if (event.type === 'error') {
    fail(state, event);
    return;
  }
  start(state, event.type === 'start' ? event : nobody);
  switch (event.type) {
    case 'start':
      break;
    case 'usage':
      state.usage = event.usage;
      break;
    case 'finish':
      state.finish = event.finish;
      finishOutput(state.output, event.finish);
      break;
    case 'end':
      end(state);
      break;
    default:
      writePiece(state.output, event);
  }
}

function start(state: State, facts: Pick<CanonicalResponse, 'id' | 'createdAtSeconds' | 'model'>): void {
  if (state.head) return;
  state.head = encodeHead(facts, state.context);
  sendResponse(state, 'response.created', { status: 'in_progress' });
  sendResponse(state, 'response.in_progress', { status: 'in_progress' });
}

function end(state: State): void {
  state.isOver = true;
  const finish = state.finish ?? { reason: 'stop', native: null };
  if (!state.finish) finishOutput(state.output, finish);
  const ending = writeEnding(finish);
  sendResponse(state, `response.${ending.status}`, ending);
}

function fail(state: State, failure: AnswerFailure): void {
  const error = toErrorFacts(failure);
  state.isOver = true;
  state.output.sendEvent('error', encodeErrorFields(error));
  sendResponse(state, 'response.failed', {
    status: 'failed',
    incomplete_details: null,
    error: encodeFailure(error),
  });
}

function sendResponse({ head, context, output, usage }: State, type: string, status: ResponseStatus): void {
  const known = head ?? encodeHead(nobody, context);
  output.sendEvent(type, { response: encodeResponseObject(known, status, output.items, usage) });
}
