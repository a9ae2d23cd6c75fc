import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { withQueryTimeout } from '#db/query-timeout.ts';

/**
 * How long each attempt waits for its answer. A dead connection is noticed by the first, short attempt; a busy database
 * or a very large row gets the longer ones.
 */
export interface Patience {
  readonly timeoutsMs: readonly number[];
}

/** For one page of rows, which holds up the changes of its table. */
export const pagePatience: Patience = { timeoutsMs: [2_000, 10_000, 60_000, 60_000] };

/** For a statement that goes over a whole table. */
export const tablePatience: Patience = { timeoutsMs: [30_000, 120_000, 120_000, 120_000] };

/** The longest timeout above, in milliseconds; the database must not cancel a statement before. */
export const longestReadMs = 120_000;

const firstDelayMs = 100;

/**
 * Runs a statement that only reads, again with more time when it fails.
 * @throws the error of the last attempt.
 */
export async function readPatiently<Row extends pg.QueryResultRow>(
  pool: pg.Pool,
  { timeoutsMs }: Patience,
  text: string,
  values: unknown[] = [],
): Promise<Row[]> {
  for (const [attempt, timeoutMs] of timeoutsMs.entries()) {
    try {
      return (await pool.query<Row>(withQueryTimeout(text, values, timeoutMs))).rows;
    } catch (error) {
      if (attempt === timeoutsMs.length - 1) throw error;
      await pause(firstDelayMs * 3 ** attempt);
    }
  }
  return [];
}
