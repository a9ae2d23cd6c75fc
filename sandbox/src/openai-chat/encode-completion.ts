import type { Answer, Choice } from '../generation/answer.ts';

/** What every body and every event of one completion repeats. */
export type Envelope = {
  id: string;
  /** seconds since the epoch */
  created: number;
  model: string;
};

export const finishReasons = { stop: 'stop', length: 'length', tool_call: 'tool_calls' } as const;

/** The body of a completion that is not streamed. */
export function encodeCompletion(
  { id, created, model }: Envelope,
  answer: Answer,
  showsUsage: boolean,
): string {
  return JSON.stringify({
    id,
    object: 'chat.completion',
    created,
    model,
    choices: answer.choices.map((choice, index) => ({
      index,
      message: encodeMessage(choice, toolCallId(id, index)),
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

export function toolCallId(completionId: string, choiceIndex: number): string {
  return `call_${completionId.slice('chatcmpl-'.length)}_${choiceIndex}`;
}

function encodeMessage({ pieces, toolName }: Choice, callId: string) {
  const text = pieces.join('');
  if (toolName === null) return { role: 'assistant', content: text, refusal: null, annotations: [] };
  const toolCall = { id: callId, type: 'function', function: { name: toolName, arguments: text } };
  return { role: 'assistant', content: null, tool_calls: [toolCall], refusal: null, annotations: [] };
}
