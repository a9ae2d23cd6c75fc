import type pg from 'pg';

/** Default time limit in milliseconds, for statements with small results. A healthy database responds much faster. */
const promptMs = 2_000;

/**
 * Returns a statement that fails and closes its connection if no response arrives in time, for example on a network
 * that drops all packets.
 */
export function withQueryTimeout(
  text: string,
  values: unknown[] = [],
  timeoutMs: number = promptMs,
): pg.QueryConfig & { query_timeout: number } {
  return { text, values, query_timeout: timeoutMs };
}
