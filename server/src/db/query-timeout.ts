import type pg from 'pg';

/** A healthy database returns small results within this many milliseconds. */
const promptMs = 2_000;

/** A statement that fails, and whose connection is closed, when no answer comes in time, as on a network that went silent. */
export function withQueryTimeout(
  text: string,
  values: unknown[] = [],
  timeoutMs: number = promptMs,
): pg.QueryConfig & { query_timeout: number } {
  return { text, values, query_timeout: timeoutMs };
}
