import type { Usage } from '../canonical/usage.ts';
import * as wire from './wire.ts';

/** OpenAI's usage in disjoint buckets; `null` for a missing or impossible one, such as a negative count. */
export function readUsage(value: unknown): Usage | null {
  const parsed = wire.usage.safeParse(value);
  if (!parsed.success) return null;
  const { prompt_tokens, completion_tokens, total_tokens, prompt_tokens_details, completion_tokens_details } =
    parsed.data;
  const cacheReadTokens = Math.min(prompt_tokens_details?.cached_tokens ?? 0, prompt_tokens);
  const reasoningTokens = completion_tokens_details?.reasoning_tokens ?? 0;
  const isReasoningApart = total_tokens === prompt_tokens + completion_tokens + reasoningTokens;
  const outputTokens = completion_tokens + (isReasoningApart ? reasoningTokens : 0);
  return {
    inputTokens: prompt_tokens - cacheReadTokens,
    cacheReadTokens,
    cacheWriteTokens: 0,
    outputTokens,
    reasoningTokens: Math.min(reasoningTokens, outputTokens),
  };
}

export function writeUsage(usage: Usage): {
  prompt_tokens: number;
  completion_tokens: number;
  total_tokens: number;
} {
  const promptTokens = usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens;
  return {
    prompt_tokens: promptTokens,
    completion_tokens: usage.outputTokens,
    total_tokens: promptTokens + usage.outputTokens,
  };
}
