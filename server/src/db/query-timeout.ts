import type pg from 'pg';

/** What a database that lives answers in milliseconds is not waited for any longer. */
const promptMs = 2_000;

/** A statement whose connection is given up when no answer comes in time, as from a network that has gone silent. */
export function withQueryTimeout(
  text: string,
  values: unknown[] = [],
): pg.QueryConfig & { query_timeout: number } {
  return { text, values, query_timeout: promptMs };
}
