import type { Frame } from '../delivery/meter.ts';
import { eventStream, type FrameStream } from '../delivery/stream.ts';
import type { Answer, Part } from '../generation/answer.ts';
import { type Envelope, encodeContent, encodeItem, encodeResponse, statusOf } from './encode-whole.ts';

type Fields = Record<string, unknown>;

const padding = 'h7Kq2ZtW9sXp4LmD';

/** Encodes events with consecutive sequence numbers. */
type Writer = (type: string, payload: Fields, tokens?: number) => Frame;

/** Returns the events of a streamed response. Items are streamed in deltas and then repeated, as is the response. */
export function encodeStream(envelope: Envelope, answer: Answer): FrameStream {
  const write = createWriter();
  const about = (type: string, ...state: Parameters<typeof encodeResponse>) =>
    write(type, { response: encodeResponse(...state) });
  const status = statusOf(answer);
  const parts = answer.choices.flatMap((choice) => choice.parts);
  return {
    ...eventStream,
    opening: ['response.created', 'response.in_progress'].map((type) =>
      about(type, envelope, 'in_progress', null),
    ),
    body: encodeItems(envelope, parts, status === 'incomplete', write),
    closing: () => [about(`response.${status}`, envelope, status, answer).data],
    error: () => about('response.failed', envelope, 'failed', null).data,
  };
}

function createWriter(): Writer {
  let sequence = 0;
  return (type, payload, tokens = 0) => {
    const data = JSON.stringify({ type, sequence_number: sequence++, ...payload });
    return { data: `event: ${type}\ndata: ${data}\n\n`, tokens };
  };
}

function* encodeItems(envelope: Envelope, parts: Part[], isCut: boolean, write: Writer): Generator<Frame> {
  for (const [index, part] of parts.entries()) {
    const place = { output_index: index };
    const item = encodeItem(envelope, parts, part, index, 'in_progress');
    yield write('response.output_item.added', { ...place, item });
    yield* encodePart(envelope, part, { item_id: item.id, ...place }, write);
    const status = isCut && index === parts.length - 1 ? 'incomplete' : 'completed';
    const whole = encodeItem(envelope, parts, part, index, status);
    const silentTokens = part.kind === 'reasoning' && !envelope.showsThoughts ? part.pieces.length : 0;
    yield write('response.output_item.done', { ...place, item: whole }, silentTokens);
  }
}

function* encodePart(envelope: Envelope, part: Part, place: Fields, write: Writer): Generator<Frame> {
  const text = part.pieces.join('');
  switch (part.kind) {
    case 'reasoning': {
      if (!envelope.showsThoughts) return;
      const at = { ...place, summary_index: 0 };
      const summary = (words: string) => ({ part: { type: 'summary_text', text: words } });
      yield write('response.reasoning_summary_part.added', { ...at, ...summary('') });
      yield* encodeDeltas('response.reasoning_summary_text.delta', part, at, write);
      yield write('response.reasoning_summary_text.done', { ...at, text });
      yield write('response.reasoning_summary_part.done', { ...at, ...summary(text) });
      return;
    }
    case 'tool-call':
      yield* encodeDeltas('response.function_call_arguments.delta', part, place, write);
      yield write('response.function_call_arguments.done', { ...place, arguments: text });
      return;
    default: {
      const at = { ...place, content_index: 0 };
      const isRefusal = part.kind === 'refusal';
      const name = isRefusal ? 'response.refusal' : 'response.output_text';
      const extra = isRefusal ? {} : { logprobs: [] };
      yield write('response.content_part.added', { ...at, part: encodeContent(part, '') });
      yield* encodeDeltas(`${name}.delta`, part, { ...at, ...extra }, write);
      yield write(`${name}.done`, { ...at, [isRefusal ? 'refusal' : 'text']: text, ...extra });
      yield write('response.content_part.done', { ...at, part: encodeContent(part, text) });
    }
  }
}

function* encodeDeltas(type: string, { pieces }: Part, place: Fields, write: Writer): Generator<Frame> {
  // Padding hides the length of tokens from eavesdroppers.
  for (const delta of pieces)
    yield write(type, { ...place, delta, obfuscation: padding.slice(delta.length % padding.length) }, 1);
}
