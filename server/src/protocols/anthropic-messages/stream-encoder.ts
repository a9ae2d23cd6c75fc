import type { Signature } from '../canonical/content.ts';
import { type AnswerFailure, type Finish, failureOf } from '../canonical/response.ts';
import type { StreamEncoder, StreamEvent } from '../canonical/stream-event.ts';
import type { Usage } from '../canonical/usage.ts';
import type { AnswerContext } from '../protocol.ts';
import { describeImage } from '../translation/answer-images.ts';
import { toErrorFacts } from '../translation/classify-failure.ts';
import { isCarrier } from './assistant-blocks.ts';
import { type AnyBlock, encodeToolId, writeSignature } from './block.ts';
import { encodeStreamError } from './errors.ts';
import { encodeIdentity, encodeStop, writeUsage } from './response.ts';

interface State {
  readonly context: AnswerContext;
  isStarted: boolean;
  isOver: boolean;
  blockCount: number;
  /** `null` between blocks. */
  open: string | null;
  isRedacted: boolean;
  hasCalls: boolean;
  /** Call whose block is not open yet, because the call's signature may have to precede the block. */
  heldCall: { readonly block: AnyBlock; json: string } | null;
  /** Signatures of other protocols, written only if another block follows. */
  heldSignatures: string[];
  refusal: string;
  usage: Usage | null;
  finish: Finish | null;
}

/**
 * Text and reasoning blocks open with their first content, because callers could not send empty blocks back. The end
 * is sent only if the provider's stream has ended.
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
    heldCall: null,
    heldSignatures: [],
    refusal: '',
    usage: null,
    finish: null,
  };
  let choice: number | null = null;
  return {
    encode(event) {
      if (state.isOver) return '';
      // Anthropic's responses have a single choice, which some providers do not number 0.
      if ('choice' in event) {
        choice ??= event.choice;
        if (event.choice !== choice) return '';
      }
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
    case 'tool-input-start': {
      const before = close(state);
      state.hasCalls = true;
      const block = { type: 'tool_use', id: encodeToolId(event.id), name: event.name, input: {} };
      state.heldCall = { block, json: '' };
      return before;
    }
    case 'tool-input-delta':
      return event.json === '' ? '' : addInput(state, event.json);
    case 'tool-input-end':
      return endCall(state, event.signature);
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
  if (isCarrier({ isRedacted: state.isRedacted, signature })) {
    const before = close(state);
    state.heldSignatures.push(text);
    return before;
  }
  if (state.isRedacted) return open(state, { type: 'redacted_thinking', data: text }) + close(state);
  return openThinking(state) + delta(state, { type: 'signature_delta', signature: text }) + close(state);
}

function addInput(state: State, json: string): string {
  const { heldCall } = state;
  if (!heldCall) return delta(state, { type: 'input_json_delta', partial_json: json });
  heldCall.json += json;
  // Providers that sign calls send the arguments as a whole. Other providers stream the arguments.
  return isWhole(heldCall.json) ? '' : openCall(state);
}

function isWhole(json: string): boolean {
  if (!json.endsWith('}')) return false;
  try {
    JSON.parse(json);
    return true;
  } catch {
    return false;
  }
}

function endCall(state: State, signature: Signature | undefined): string {
  if (!signature) return close(state);
  const isHeld = state.heldCall !== null;
  const { heldCall } = state;
  state.heldCall = null;
  const before = isHeld ? '' : close(state);
  const text = writeSignature(signature, isHeld ? 'next-call' : 'call');
  const signed = openThinking(state) + delta(state, { type: 'signature_delta', signature: text });
  state.heldCall = heldCall;
  return before + signed + closeOpen(state) + openCall(state) + close(state);
}

function openCall(state: State): string {
  const { heldCall } = state;
  if (!heldCall) return '';
  state.heldCall = null;
  const { block, json } = heldCall;
  return open(state, block) + (json === '' ? '' : addInput(state, json));
}

function open(state: State, block: AnyBlock): string {
  let before = close(state);
  for (const data of state.heldSignatures.splice(0))
    before += startBlock(state, { type: 'redacted_thinking', data }) + closeOpen(state);
  return before + startBlock(state, block);
}

function startBlock(state: State, block: AnyBlock): string {
  state.open = block.type;
  return frame('content_block_start', { index: state.blockCount++, content_block: block });
}

function delta(state: State, content: object): string {
  return state.open === null
    ? ''
    : frame('content_block_delta', { index: state.blockCount - 1, delta: content });
}

function close(state: State): string {
  return openCall(state) + closeOpen(state);
}

function closeOpen(state: State): string {
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

// Anthropic has no stop reason for a failure, so an error ensures that the response is not mistaken for a complete
// one.
function fail(state: State, failure: AnswerFailure): string {
  state.isOver = true;
  return encodeStreamError(toErrorFacts(failure), state.context);
}

function frame(type: string, fields: object): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;
}
