import type { Usage } from '../canonical/usage.ts';
import { quickParse } from '../json/quick-check.ts';
import * as wire from './wire.ts';

/**
 * Returns Anthropic's usage in disjoint buckets. Counts are cumulative, and later events may omit some, which then keep
 * their value from `before`. `null` if no valid usage was received so far.
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

/** Returns the usage of a complete response or of a stream's last event; all zeros if it is unknown. */
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
