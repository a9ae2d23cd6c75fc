import type { Frame } from '../delivery/meter.ts';
import { eventStream, type FrameStream } from '../delivery/stream.ts';
import { takeTurns } from '../delivery/take-turns.ts';
import type { Answer, Choice } from '../generation/answer.ts';
import { encodeError } from '../openai/errors.ts';
import { problemOf } from '../request/problem.ts';
import { type Envelope, encodeUsage, finishReasons, toolCallId } from './encode-whole.ts';

type Chunk = (index: number, delta: string, finishReason?: string) => string;

/** Returns the events of a streamed completion; usage comes last, and only if the client requested it. */
export function encodeStream(envelope: Envelope, answer: Answer, includesUsage: boolean): FrameStream {
  const { id, created, model } = envelope;
  const head = JSON.stringify({
    id,
    object: 'chat.completion.chunk',
    created,
    model,
    service_tier: 'default',
    system_fingerprint: null,
  }).slice(0, -1);
  const tail = includesUsage ? ',"usage":null}\n\n' : '}\n\n';
  // The events of a response differ only in their delta, so only the delta is encoded for each.
  const chunk: Chunk = (index, delta, finishReason = 'null') =>
    `data: ${head},"choices":[{"index":${index},"delta":${delta},"logprobs":null,"finish_reason":${finishReason}}]${tail}`;

  const closing = answer.choices.map(({ finish }, index) => chunk(index, '{}', `"${finishReasons[finish]}"`));
  if (includesUsage)
    closing.push(`data: ${head},"choices":[],"usage":${JSON.stringify(encodeUsage(answer))}}\n\n`);
  closing.push('data: [DONE]\n\n');
  const reasoningTokens = answer.reasoningTokens / answer.choices.length;
  return {
    ...eventStream,
    // Invisible tokens are billed with the first event.
    opening: answer.choices.map((choice, index) => ({
      data: chunk(index, openingDelta(choice, toolCallId(id, index, 0))),
      tokens: reasoningTokens,
    })),
    body: takeTurns(answer.choices.map((choice, index) => encodeChoice(choice, index, id, chunk))),
    closing: () => closing,
    error: () => `data: ${JSON.stringify(encodeError(problemOf('internal_error')).body)}\n\n`,
  };
}

function openingDelta({ parts }: Choice, callId: string): string {
  const [first] = parts.filter(({ kind }) => kind !== 'reasoning');
  if (first?.kind !== 'tool-call') return '{"role":"assistant","content":"","refusal":null}';
  const toolCall = startOfCall(first.name, callId, 0);
  return JSON.stringify({ role: 'assistant', content: null, tool_calls: [toolCall], refusal: null });
}

function startOfCall(name: string, id: string, index: number) {
  return { index, id, type: 'function', function: { name, arguments: '' } };
}

/** Yields one event per token, and one for the start of each call that is not in the opening. */
function* encodeChoice({ parts }: Choice, index: number, id: string, chunk: Chunk): Generator<Frame> {
  let callCount = 0;
  let isOpening = true;
  for (const part of parts) {
    if (part.kind === 'reasoning') continue;
    let [before, after] = [`{"${part.kind === 'refusal' ? 'refusal' : 'content'}":`, '}'];
    if (part.kind === 'tool-call') {
      const callIndex = callCount++;
      const start = startOfCall(part.name, toolCallId(id, index, callIndex), callIndex);
      if (!isOpening) yield { data: chunk(index, JSON.stringify({ tool_calls: [start] })), tokens: 0 };
      [before, after] = [`{"tool_calls":[{"index":${callIndex},"function":{"arguments":`, '}}]}'];
    }
    isOpening = false;
    for (const piece of part.pieces)
      yield { data: chunk(index, before + JSON.stringify(piece) + after), tokens: 1 };
  }
}
