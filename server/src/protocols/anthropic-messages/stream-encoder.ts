import type { Signature } from '../canonical/content.ts';
import { type AnswerFailure, type Finish, failureOf } from '../canonical/response.ts';
import type { StreamEncoder, StreamEvent } from '../canonical/stream-event.ts';
import type { Usage } from '../canonical/usage.ts';
import type { AnswerContext } from '../protocol.ts';
import { describeImage } from '../translation/answer-images.ts';
import { toErrorFacts } from '../translation/classify-failure.ts';
import { type AnyBlock, encodeToolId, writeSignature } from './block.ts';
import { encodeStreamError } from './errors.ts';
import { encodeIdentity, encodeStop, writeUsage } from './response.ts';

interface State {
  readonly context: AnswerContext;
  isStarted: boolean;
  isOver: boolean;
  /** Number of blocks opened so far. */
  blockCount: number;
  /** Type of the open block, `null` between blocks. */
  open: string | null;
  isRedacted: boolean;
  hasCalls: boolean;
  refusal: string;
  usage: Usage | null;
  finish: Finish | null;
}

/**
 * Creates an encoder for Anthropic's streams. Text and reasoning blocks open with their first content, because callers
 * could not send empty blocks back. The end is sent only if the provider's stream has ended.
 */
export function createStreamEncoder(context: AnswerContext): StreamEncoder {
  const state: State = {
    context,
    isStarted: false,
    isOver: false,
    blockCount: 0,
    open: null,
    isRedacted: false,
    hasCalls: false,
    refusal: '',
    usage: null,
    finish: null,
  };
  return {
    encode(event) {
      // Anthropic's responses have one choice.
      if (state.isOver || ('choice' in event && event.choice !== 0)) return '';
      if (event.type === 'start') return start(state, event.id, event.model);
      return (event.type === 'error' ? '' : start(state, null, null)) + write(state, event);
    },
  };
}

function start(state: State, id: string | null, model: string | null): string {
  if (state.isStarted) return '';
  state.isStarted = true;
  return frame('message_start', {
    message: {
      ...encodeIdentity(id, model, state.context),
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: writeUsage(state.usage),
    },
  });
}

function write(state: State, event: Exclude<StreamEvent, { type: 'start' }>): string {
  switch (event.type) {
    case 'text-start':
    case 'text-end':
      return close(state);
    case 'text-delta':
      return event.text === ''
        ? ''
        : openText(state) + delta(state, { type: 'text_delta', text: event.text });
    case 'reasoning-start':
      state.isRedacted = event.isRedacted;
      return close(state);
    case 'reasoning-delta':
      return event.text === ''
        ? ''
        : openThinking(state) + delta(state, { type: 'thinking_delta', thinking: event.text });
    case 'reasoning-end':
      return endReasoning(state, event.signature);
    case 'image':
      return writeNotice(state, describeImage(event.image));
    case 'tool-input-start':
      state.hasCalls = true;
      return open(state, { type: 'tool_use', id: encodeToolId(event.id), name: event.name, input: {} });
    case 'tool-input-delta':
      return event.json === '' ? '' : delta(state, { type: 'input_json_delta', partial_json: event.json });
    case 'tool-input-end':
      return close(state) + (event.signature ? signCall(state, event.signature) : '');
    case 'refusal-delta':
      state.refusal += event.text;
      return '';
    case 'usage':
      state.usage = event.usage;
      return '';
    case 'finish':
      state.finish = event.finish;
      return close(state) + (event.finish.reason === 'error' ? fail(state, failureOf(event.finish)) : '');
    case 'error':
      return fail(state, event);
    case 'end':
      return close(state) + end(state);
  }
}

/** Writes a text of its own block. */
function writeNotice(state: State, text: string): string {
  return close(state) + openText(state) + delta(state, { type: 'text_delta', text }) + close(state);
}

function openText(state: State): string {
  return state.open === 'text' ? '' : open(state, { type: 'text', text: '' });
}

function openThinking(state: State): string {
  return state.open === 'thinking' ? '' : open(state, { type: 'thinking', thinking: '', signature: '' });
}

function endReasoning(state: State, signature: Signature | undefined): string {
  if (!signature) return close(state);
  const text = writeSignature(signature, 'reasoning');
  if (state.isRedacted) return open(state, { type: 'redacted_thinking', data: text }) + close(state);
  return openThinking(state) + delta(state, { type: 'signature_delta', signature: text }) + close(state);
}

function signCall(state: State, signature: Signature): string {
  const text = writeSignature(signature, 'call');
  return openThinking(state) + delta(state, { type: 'signature_delta', signature: text }) + close(state);
}

function open(state: State, block: AnyBlock): string {
  const before = close(state);
  state.open = block.type;
  return before + frame('content_block_start', { index: state.blockCount++, content_block: block });
}

function delta(state: State, content: object): string {
  return state.open === null
    ? ''
    : frame('content_block_delta', { index: state.blockCount - 1, delta: content });
}

function close(state: State): string {
  if (state.open === null) return '';
  state.open = null;
  return frame('content_block_stop', { index: state.blockCount - 1 });
}

function end(state: State): string {
  state.isOver = true;
  const finish = state.finish ?? { reason: state.hasCalls ? 'tool-calls' : 'stop', native: null };
  return (
    frame('message_delta', {
      delta: encodeStop(finish, state.refusal),
      usage: writeUsage(state.usage),
    }) + frame('message_stop', {})
  );
}

// Anthropic has no stop reason for a failure; an error ensures that the response is not mistaken for a complete one.
function fail(state: State, failure: AnswerFailure): string {
  state.isOver = true;
  return encodeStreamError(toErrorFacts(failure), state.context);
}

function frame(type: string, fields: object): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;
}
