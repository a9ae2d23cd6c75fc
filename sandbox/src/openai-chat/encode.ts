import { eventStream, type Frame, type FrameStream, takeTurns } from '../delivery/stream.ts';
import { type Answer, type Choice, type Finish, textOf } from '../generation/answer.ts';
import { encodeError } from '../openai/errors.ts';
import { problemOf } from '../request/problem.ts';

/** Fields that every body and event of a completion repeats. */
interface Envelope {
  id: string;
  /** Seconds since the epoch. */
  created: number;
  model: string;
}

const finishReasons: Record<Finish, string> = {
  stop: 'stop',
  stop_sequence: 'stop',
  length: 'length',
  tool_call: 'tool_calls',
  refusal: 'stop',
  blocked: 'content_filter',
};

export function encodeWhole({ id, created, model }: Envelope, answer: Answer, showsUsage: boolean): string {
  return JSON.stringify({
    id,
    object: 'chat.completion',
    created,
    model,
    choices: answer.choices.map((choice, index) => ({
      index,
      message: encodeMessage(choice, (count) => toolCallId(id, index, count)),
      logprobs: null,
      finish_reason: finishReasons[choice.finish],
    })),
    ...(showsUsage && { usage: encodeUsage(answer) }),
    service_tier: 'default',
    system_fingerprint: null,
  });
}

function encodeUsage(answer: Answer) {
  return {
    prompt_tokens: answer.promptTokens,
    completion_tokens: answer.completionTokens,
    total_tokens: answer.promptTokens + answer.completionTokens,
    prompt_tokens_details: { cached_tokens: answer.cachedTokens, audio_tokens: 0 },
    completion_tokens_details: {
      reasoning_tokens: answer.reasoningTokens,
      audio_tokens: 0,
      accepted_prediction_tokens: 0,
      rejected_prediction_tokens: 0,
    },
  };
}

function toolCallId(completionId: string, choiceIndex: number, callIndex: number): string {
  return `call_${completionId.slice('chatcmpl-'.length)}_${choiceIndex}_${callIndex}`;
}

function encodeMessage(choice: Choice, callId: (index: number) => string) {
  const calls = choice.parts.flatMap((part) =>
    part.kind === 'tool-call' ? [{ name: part.name, arguments: part.pieces.join('') }] : [],
  );
  const text = textOf(choice, 'text');
  const refusal = textOf(choice, 'refusal') || null;
  return {
    role: 'assistant',
    content: text === '' && (calls.length > 0 || refusal !== null) ? null : text,
    ...(calls.length > 0 && {
      tool_calls: calls.map((call, index) => ({ id: callId(index), type: 'function', function: call })),
    }),
    refusal,
    annotations: [],
  };
}

type Chunk = (index: number, delta: string, finishReason?: string) => string;

/** The last event contains the usage if the client requested usage. */
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
  // Events of a response differ only in their delta, so only the delta is encoded for each.
  const chunk: Chunk = (index, delta, finishReason = 'null') =>
    `data: ${head},"choices":[{"index":${index},"delta":${delta},"logprobs":null,"finish_reason":${finishReason}}]${tail}`;

  const closing = answer.choices.map(({ finish }, index) => chunk(index, '{}', `"${finishReasons[finish]}"`));
  if (includesUsage)
    closing.push(`data: ${head},"choices":[],"usage":${JSON.stringify(encodeUsage(answer))}}\n\n`);
  closing.push('data: [DONE]\n\n');
  const reasoningTokens = answer.reasoningTokens / answer.choices.length;
  return {
    ...eventStream,
    // Reasoning tokens are invisible, so they are billed with the first event.
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

/** Yields one event per token, and one for the start of each call that is not in the opening event. */
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
