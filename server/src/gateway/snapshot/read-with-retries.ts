import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { withQueryTimeout } from '#db/query-timeout.ts';

/**
 * How long each attempt to read a page waits. The first, short one notices a dead connection, which holds up the changes
 * of its table; a busy database or a very large row gets the longer ones.
 */
export const pageTimeoutsMs = [2_000, 10_000, 60_000, 60_000];

/** The same for a statement that scans a whole table. */
export const tableTimeoutsMs = [30_000, 120_000, 120_000, 120_000];

/** The longest timeout above; the database must not cancel a statement before. */
export const longestReadMs = 120_000;

const firstDelayMs = 100;

/**
 * Runs a read-only statement, and again with the next timeout when it fails.
 * @throws the error of the last attempt.
 */
export async function readWithRetries<Row extends pg.QueryResultRow>(
  pool: pg.Pool,
  timeoutsMs: readonly number[],
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
