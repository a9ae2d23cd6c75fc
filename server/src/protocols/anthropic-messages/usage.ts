import type { Usage } from '../canonical/usage.ts';
import { quickParse } from '../json/quick-check.ts';
import * as wire from './wire.ts';

/**
 * Anthropic's usage in disjoint buckets, on top of what was known before: figures are cumulative, a later event
 * repeats or raises them and may leave some out. `null` while nothing readable has come.
 */
export function readUsage(value: unknown, before: Usage | null = null): Usage | null {
  const parsed = quickParse(wire.usage, value);
  if (!parsed.success) return before;
  const usage = parsed.data;
  if (usage.output_tokens == null && usage.input_tokens == null) return before;
  const outputTokens = usage.output_tokens ?? before?.outputTokens ?? 0;
  const cacheWriteTokens = usage.cache_creation_input_tokens ?? before?.cacheWriteTokens ?? 0;
  const hourTokens = usage.cache_creation?.ephemeral_1h_input_tokens ?? before?.cacheWriteHourTokens ?? 0;
  const reasoningTokens = usage.output_tokens_details?.thinking_tokens ?? before?.reasoningTokens ?? 0;
  return {
    inputTokens: usage.input_tokens ?? before?.inputTokens ?? 0,
    cacheReadTokens: usage.cache_read_input_tokens ?? before?.cacheReadTokens ?? 0,
    cacheWriteTokens,
    ...(hourTokens > 0 && { cacheWriteHourTokens: Math.min(hourTokens, cacheWriteTokens) }),
    outputTokens,
    reasoningTokens: Math.min(reasoningTokens, outputTokens),
  };
}

/** All figures, as they stand in whole answers and in a stream's last event; zeros where nothing is known. */
export function writeUsage(usage: Usage | null): object {
  const hourTokens = usage?.cacheWriteHourTokens ?? 0;
  const writeTokens = usage?.cacheWriteTokens ?? 0;
  return {
    input_tokens: usage?.inputTokens ?? 0,
    cache_creation_input_tokens: writeTokens,
    cache_read_input_tokens: usage?.cacheReadTokens ?? 0,
    ...(hourTokens > 0 && {
      cache_creation: {
        ephemeral_5m_input_tokens: writeTokens - hourTokens,
        ephemeral_1h_input_tokens: hourTokens,
      },
    }),
    output_tokens: usage?.outputTokens ?? 0,
    ...(usage !== null &&
      usage.reasoningTokens > 0 && {
        output_tokens_details: { thinking_tokens: usage.reasoningTokens },
      }),
  };
}
