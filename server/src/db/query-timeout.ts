import type pg from 'pg';

/** A healthy database returns small results within this many milliseconds. */
const promptMs = 2_000;

/** Returns a statement that fails and closes its connection if no response arrives in time, as on a silent network. */
export function withQueryTimeout(
  text: string,
  values: unknown[] = [],
  timeoutMs: number = promptMs,
): pg.QueryConfig & { query_timeout: number } {
  return { text, values, query_timeout: timeoutMs };
}
