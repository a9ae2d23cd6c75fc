import type { Usage } from '../canonical/usage.ts';
import { quickParse } from '../json/quick-check.ts';
import * as wire from './wire.ts';

/** Reads usage in disjoint buckets; `null` if missing or impossible, such as a negative count. */
export function readUsage(value: unknown): Usage | null {
  const parsed = quickParse(wire.usage, value);
  if (!parsed.success) return null;
  const { input_tokens: input, output_tokens: output, total_tokens: total } = parsed.data;
  const reasoning = parsed.data.output_tokens_details?.reasoning_tokens ?? 0;
  // In the other protocol of some vendors, reasoning is counted only in the total.
  const outputTokens = Math.max(output, (total ?? 0) - input);
  const cacheReadTokens = Math.min(parsed.data.input_tokens_details?.cached_tokens ?? 0, input);
  const written = parsed.data.input_tokens_details?.cache_write_tokens ?? 0;
  const cacheWriteTokens = Math.min(written, input - cacheReadTokens);
  return {
    inputTokens: input - cacheReadTokens - cacheWriteTokens,
    cacheReadTokens,
    cacheWriteTokens,
    outputTokens,
    reasoningTokens: Math.min(reasoning, outputTokens),
  };
}

export function writeUsage(usage: Usage): object {
  const { inputTokens, cacheReadTokens, cacheWriteTokens, outputTokens, reasoningTokens } = usage;
  const wholeInput = inputTokens + cacheReadTokens + cacheWriteTokens;
  return {
    input_tokens: wholeInput,
    input_tokens_details: { cached_tokens: cacheReadTokens, cache_write_tokens: cacheWriteTokens },
    output_tokens: outputTokens,
    output_tokens_details: { reasoning_tokens: reasoningTokens },
    total_tokens: wholeInput + outputTokens,
  };
}
