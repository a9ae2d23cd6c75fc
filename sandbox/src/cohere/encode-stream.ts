import type { Frame } from '../delivery/meter.ts';
import { eventStream, type FrameStream } from '../delivery/stream.ts';
import type { Answer, Choice, Part } from '../generation/answer.ts';
import { problemOf } from '../request/problem.ts';
import { type Envelope, encodeEnd, isPlan, toolCallId } from './encode-whole.ts';

type Fields = Record<string, unknown>;

/** Returns the events of a streamed chat: contents in order, then a plan and the calls, then the finish reason. */
export function encodeStream(envelope: Envelope, answer: Answer): FrameStream {
  const message = { role: 'assistant', content: [], tool_plan: '', tool_calls: [], citations: [] };
  const end = (delta: object) => event('message-end', { delta }).data;
  return {
    ...eventStream,
    opening: [event('message-start', { delta: { message } }, 0, { id: envelope.id })],
    body: encodeChoices(envelope, answer.choices),
    closing: () => [`${end(encodeEnd(envelope, answer))}`, 'data: [DONE]\n\n'],
    error: () => end({ error: problemOf('internal_error').message, finish_reason: 'ERROR' }),
  };
}

function* encodeChoices(envelope: Envelope, choices: Choice[]): Generator<Frame> {
  for (const choice of choices) {
    let contentCount = 0;
    let callCount = 0;
    for (const part of choice.parts) {
      if (part.kind === 'tool-call') yield* encodeCall(part, callCount++, envelope);
      else if (isPlan(part, choice)) yield* encodePlan(part);
      else yield* encodeContent(part, contentCount++);
    }
  }
}

function* encodePlan({ pieces }: Part): Generator<Frame> {
  for (const piece of pieces) yield event('tool-plan-delta', { delta: { message: { tool_plan: piece } } }, 1);
}

function* encodeContent({ kind, pieces }: Part, index: number): Generator<Frame> {
  const name = kind === 'reasoning' ? 'thinking' : 'text';
  const content = (fields: Fields) => ({ index, delta: { message: { content: fields } } });
  yield event('content-start', content({ type: name, [name]: '' }));
  for (const piece of pieces) yield event('content-delta', content({ [name]: piece }), 1);
  yield event('content-end', { index });
}

function* encodeCall(
  part: Part & { kind: 'tool-call' },
  index: number,
  envelope: Envelope,
): Generator<Frame> {
  const calls = (fields: Fields) => ({ index, delta: { message: { tool_calls: fields } } });
  const start = { type: 'function', function: { name: part.name, arguments: '' } };
  // A call without arguments has no argument fragments.
  const isEmpty = part.pieces.join('') === '{}';
  const opening = calls({ id: toolCallId(envelope, part.name, index), ...start });
  yield event('tool-call-start', opening, isEmpty ? part.pieces.length : 0);
  for (const piece of isEmpty ? [] : part.pieces)
    yield event('tool-call-delta', calls({ function: { arguments: piece } }), 1);
  yield event('tool-call-end', { index });
}

function event(type: string, fields: Fields, tokens = 0, head: Fields = {}): Frame {
  return { data: `event: ${type}\ndata: ${JSON.stringify({ ...head, type, ...fields })}\n\n`, tokens };
}
