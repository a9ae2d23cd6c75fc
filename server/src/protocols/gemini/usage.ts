import type { Usage } from '../canonical/usage.ts';
import * as wire from './wire.ts';

/** Google's usage in disjoint buckets; `null` where it tells no tokens, as most chunks on Vertex do not. */
export function readUsage(value: unknown): Usage | null {
  const told = wire.usage.safeParse(value).data;
  if (!told || (told.promptTokenCount ?? told.candidatesTokenCount ?? told.thoughtsTokenCount) == null)
    return null;
  const promptTokens = told.promptTokenCount ?? 0;
  const cacheReadTokens = Math.min(told.cachedContentTokenCount ?? 0, promptTokens);
  const reasoningTokens = told.thoughtsTokenCount ?? 0;
  return {
    inputTokens: promptTokens - cacheReadTokens + (told.toolUsePromptTokenCount ?? 0),
    cacheReadTokens,
    cacheWriteTokens: 0,
    outputTokens: (told.candidatesTokenCount ?? 0) + reasoningTokens,
    reasoningTokens,
  };
}

export function writeUsage(usage: Usage): object {
  const { inputTokens, cacheReadTokens, cacheWriteTokens, outputTokens, reasoningTokens } = usage;
  const promptTokens = inputTokens + cacheReadTokens + cacheWriteTokens;
  return {
    promptTokenCount: promptTokens,
    candidatesTokenCount: outputTokens - reasoningTokens,
    totalTokenCount: promptTokens + outputTokens,
    ...(cacheReadTokens > 0 && { cachedContentTokenCount: cacheReadTokens }),
    ...(reasoningTokens > 0 && { thoughtsTokenCount: reasoningTokens }),
  };
}
