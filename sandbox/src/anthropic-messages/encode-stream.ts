import type { Frame } from '../delivery/meter.ts';
import { eventStream, type FrameStream } from '../delivery/stream.ts';
import type { Answer, Part } from '../generation/answer.ts';
import { problemOf } from '../request/problem.ts';
import {
  type Envelope,
  encodeCounts,
  encodeEnd,
  encodeHead,
  encodeThoughts,
  encodeToolUse,
  encodeUsage,
} from './encode-whole.ts';
import { describeError } from './errors.ts';

/** Returns the events of a streamed message. Input tokens are in the first event, output tokens in the second to last. */
export function encodeStream(envelope: Envelope, answer: Answer): FrameStream {
  const { showsUsage } = envelope;
  const soFar = { ...answer, completionTokens: 1, reasoningTokens: 0 };
  const message = {
    ...encodeHead(envelope),
    content: [],
    ...{ stop_reason: null, stop_sequence: null, stop_details: null },
    ...(showsUsage && { usage: encodeUsage(envelope, soFar) }),
  };
  const end = { delta: encodeEnd(answer), ...(showsUsage && { usage: encodeCounts(answer) }) };
  return {
    ...eventStream,
    opening: [event({ type: 'message_start', message })],
    body: encodeBlocks(
      envelope,
      answer.choices.flatMap((choice) => choice.parts),
    ),
    closing: () => [event({ type: 'message_delta', ...end }).data, event({ type: 'message_stop' }).data],
    error: () =>
      event({ type: 'error', error: { details: null, ...describeError(problemOf('overloaded')) } }).data,
  };
}

/** Yields the blocks in order, each with a start, its deltas and a stop. */
function* encodeBlocks(envelope: Envelope, parts: Part[]): Generator<Frame> {
  for (const [index, part] of parts.entries()) {
    yield event({ type: 'content_block_start', index, content_block: startOf(part, index, envelope) });
    if (index === 0) yield event({ type: 'ping' });
    yield* encodeDeltas(part, index, envelope);
    yield event({ type: 'content_block_stop', index });
  }
}

function startOf(part: Part, index: number, envelope: Envelope) {
  switch (part.kind) {
    case 'reasoning':
      return { type: 'thinking', thinking: '', signature: '' };
    case 'tool-call':
      return encodeToolUse(part, index, envelope, {});
    default:
      return { type: 'text', text: '' };
  }
}

function* encodeDeltas(part: Part, index: number, envelope: Envelope): Generator<Frame> {
  const { pieces } = part;
  if (part.kind === 'tool-call') {
    // Arguments begin with an empty fragment, which is the only one if there are no arguments.
    const isEmpty = pieces.join('') === '{}';
    const first = { type: 'input_json_delta', partial_json: '' };
    yield event({ type: 'content_block_delta', index, delta: first }, isEmpty ? pieces.length : 0);
    if (!isEmpty) yield* deltas(index, '{"type":"input_json_delta","partial_json":', pieces);
    return;
  }
  if (part.kind !== 'reasoning') return yield* deltas(index, '{"type":"text_delta","text":', pieces);
  if (!envelope.hidesThoughts) yield* deltas(index, '{"type":"thinking_delta","thinking":', pieces);
  const delta = { type: 'signature_delta', signature: encodeThoughts(part, envelope).signature };
  yield event({ type: 'content_block_delta', index, delta }, envelope.hidesThoughts ? pieces.length : 0);
}

/** The deltas of a response differ only in their text, so only the text is encoded for each. */
function* deltas(index: number, start: string, pieces: string[]): Generator<Frame> {
  const head = `event: content_block_delta\ndata: {"type":"content_block_delta","index":${index},"delta":${start}`;
  for (const piece of pieces) yield { data: `${head}${JSON.stringify(piece)}}}\n\n`, tokens: 1 };
}

function event(payload: { type: string; [name: string]: unknown }, tokens = 0): Frame {
  return { data: `event: ${payload.type}\ndata: ${JSON.stringify(payload)}\n\n`, tokens };
}
