import { type Answer, type Choice, type Finish, textOf } from '../generation/answer.ts';

/** Fields that every body and event of a completion repeats. */
export interface Envelope {
  id: string;
  /** Seconds since the epoch. */
  created: number;
  model: string;
}

export const finishReasons: Record<Finish, string> = {
  stop: 'stop',
  stop_sequence: 'stop',
  length: 'length',
  tool_call: 'tool_calls',
  refusal: 'stop',
  blocked: 'content_filter',
};

/** Returns the body of a completion that is not streamed. */
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

export function encodeUsage(answer: Answer) {
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

export function toolCallId(completionId: string, choiceIndex: number, callIndex: number): string {
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
