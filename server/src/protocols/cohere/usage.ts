import type { Usage } from '../canonical/usage.ts';
import { quickParse } from '../json/quick-check.ts';
import * as wire from './wire.ts';

/** Returns Cohere's usage in disjoint buckets; `null` if it is missing or invalid. */
export function readUsage(value: unknown): Usage | null {
  const parsed = quickParse(wire.usage, value);
  const told = parsed.data?.tokens ?? parsed.data?.billed_units;
  if (!told || (told.input_tokens == null && told.output_tokens == null)) return null;
  const wholeInput = (told.input_tokens ?? 0) + (told.image_tokens ?? 0);
  const outputTokens = told.output_tokens ?? 0;
  const cacheReadTokens = Math.min(parsed.data?.cached_tokens ?? 0, wholeInput);
  return {
    inputTokens: wholeInput - cacheReadTokens,
    cacheReadTokens,
    cacheWriteTokens: 0,
    outputTokens,
    reasoningTokens: Math.min(told.reasoning_tokens ?? 0, outputTokens),
  };
}
