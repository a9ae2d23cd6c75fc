import { eventStream, type Frame, type FrameStream } from '../delivery/stream.ts';
import { type Answer, argumentsOf, type Finish, type Part } from '../generation/answer.ts';
import { sign } from '../generation/signature.ts';
import { problemOf } from '../request/problem.ts';
import { describeError } from './errors.ts';

/** Fields of a message other than its content. */
export interface Envelope {
  id: string;
  model: string;
  showsUsage: boolean;
  /** Whether thinking blocks contain only the signature and no text. */
  hidesThoughts: boolean;
  cacheTtl: '5m' | '1h';
}

export const stopReasons: Record<Finish, string> = {
  stop: 'end_turn',
  stop_sequence: 'stop_sequence',
  length: 'max_tokens',
  tool_call: 'tool_use',
  refusal: 'refusal',
  blocked: 'refusal',
};

export function encodeWhole(envelope: Envelope, answer: Answer): string {
  const parts = answer.choices.flatMap((choice) => choice.parts);
  return JSON.stringify({
    ...encodeHead(envelope),
    content: parts.map((part, index) => encodeBlock(part, index, envelope)),
    ...encodeEnd(answer),
    ...(envelope.showsUsage && { usage: encodeUsage(envelope, answer) }),
  });
}

function encodeHead({ id, model }: Envelope) {
  return { model, id: `msg_${id}`, type: 'message', role: 'assistant' };
}

function encodeEnd({ choices }: Answer) {
  const { finish = 'stop', stopSequence = null } = choices[0] ?? {};
  return {
    stop_reason: stopReasons[finish],
    stop_sequence: stopSequence,
    stop_details: null,
  };
}

/** Returns the usage in buckets that do not overlap. */
function encodeCounts({ reasoningTokens, ...answer }: Answer) {
  return {
    input_tokens: answer.promptTokens - answer.cachedTokens - answer.cacheWriteTokens,
    cache_creation_input_tokens: answer.cacheWriteTokens,
    cache_read_input_tokens: answer.cachedTokens,
    output_tokens: answer.completionTokens,
    ...(reasoningTokens > 0 && { output_tokens_details: { thinking_tokens: reasoningTokens } }),
  };
}

function encodeUsage({ cacheTtl }: Envelope, answer: Answer) {
  const written = answer.cacheWriteTokens;
  return {
    ...encodeCounts(answer),
    cache_creation: {
      ephemeral_5m_input_tokens: cacheTtl === '5m' ? written : 0,
      ephemeral_1h_input_tokens: cacheTtl === '1h' ? written : 0,
    },
    service_tier: 'standard',
    inference_geo: 'not_available',
  };
}

function encodeToolUse(
  part: Part & { kind: 'tool-call' },
  index: number,
  envelope: Envelope,
  input: unknown,
) {
  const id = `toolu_${envelope.id}_${index}`;
  return { type: 'tool_use', id, name: part.name, input, caller: { type: 'direct' } };
}

function encodeThoughts({ pieces }: Part, { hidesThoughts }: Envelope) {
  const thinking = hidesThoughts ? '' : pieces.join('');
  return { thinking, signature: sign(thinking) };
}

function encodeBlock(part: Part, index: number, envelope: Envelope) {
  switch (part.kind) {
    case 'reasoning':
      return { type: 'thinking', ...encodeThoughts(part, envelope) };
    case 'tool-call':
      return encodeToolUse(part, index, envelope, argumentsOf(part));
    default:
      return { type: 'text', text: part.pieces.join('') };
  }
}

/** The first event contains the input tokens, the second to last event the output tokens. */
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

/** Yields the blocks in order. Each block has a start event, its deltas and a stop event. */
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
    // Arguments start with an empty fragment. A call without arguments has no other fragment.
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

/** Encodes only the text for each delta, because the rest is the same. */
function* deltas(index: number, start: string, pieces: string[]): Generator<Frame> {
  const head = `event: content_block_delta\ndata: {"type":"content_block_delta","index":${index},"delta":${start}`;
  for (const piece of pieces) yield { data: `${head}${JSON.stringify(piece)}}}\n\n`, tokens: 1 };
}

function event(payload: { type: string; [name: string]: unknown }, tokens = 0): Frame {
  return { data: `event: ${payload.type}\ndata: ${JSON.stringify(payload)}\n\n`, tokens };
}
