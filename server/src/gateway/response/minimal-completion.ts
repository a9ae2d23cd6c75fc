import type { MinimalCompletion } from '@sluice/contract';
import type { CanonicalResponse } from '#protocols/canonical/response.ts';
import type { Usage } from '#protocols/canonical/usage.ts';

/** Encodes the response to `format: "minimal"`, whatever protocol the provider speaks. */
export function encodeMinimal(
  response: CanonicalResponse,
  model: string,
  taskId: number | null,
  remainingTokens: number | null,
): MinimalCompletion {
  return {
    content: readAnswerText(response),
    model: response.model ?? model,
    usage: response.usage && encodeUsage(response.usage),
    task_id: taskId,
    remaining_tokens: remainingTokens,
  };
}

/** Returns the text of the first choice, `null` without a text. */
export function readAnswerText({ choices: [first] }: CanonicalResponse): string | null {
  const texts = first?.parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])) ?? [];
  return texts.length === 0 ? null : texts.join('');
}

function encodeUsage({ inputTokens, cacheReadTokens, cacheWriteTokens, outputTokens }: Usage) {
  const promptTokens = inputTokens + cacheReadTokens + cacheWriteTokens;
  return {
    prompt_tokens: promptTokens,
    completion_tokens: outputTokens,
    total_tokens: promptTokens + outputTokens,
  };
}
