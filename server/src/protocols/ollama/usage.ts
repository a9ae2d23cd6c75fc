import type { Usage } from '../canonical/usage.ts';
import { quickParse } from '../json/quick-check.ts';
import * as wire from './wire.ts';

/** Returns the usage in a response's last line; `null` if it has no counters. */
export function readUsage(value: unknown): Usage | null {
  const { data } = quickParse(wire.counters, value);
  if (data?.prompt_eval_count == null && data?.eval_count == null) return null;
  return {
    inputTokens: data.prompt_eval_count ?? 0,
    cacheReadTokens: 0,
    cacheWriteTokens: 0,
    outputTokens: data.eval_count ?? 0,
    reasoningTokens: 0,
  };
}
