import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { withQueryTimeout } from '#db/query-timeout.ts';

/**
 * Timeout of each attempt to read a page. The short first one detects a dead connection, which delays the changes of
 * its table; the longer ones are for a busy database or a very large row.
 */
export const pageTimeoutsMs = [2_000, 10_000, 60_000, 60_000];

/** The same for a statement that scans a whole table. */
export const tableTimeoutsMs = [30_000, 120_000, 120_000, 120_000];

/** The longest timeout above; the database must not cancel a statement earlier. */
export const longestReadMs = 120_000;

const firstDelayMs = 100;

/**
 * Runs a read-only statement, and retries with the next timeout if it fails.
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
