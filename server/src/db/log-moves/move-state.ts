import type pg from 'pg';
import { withConnection } from '../held-connection.ts';
import { installationLocks } from '../installation-locks.ts';
import type { DeletedUser } from './move-side.ts';

export type MoveTarget = 'clickhouse' | 'postgres';

export interface DayState {
  readonly copiedTo: string | null;
  readonly isVerified: boolean;
}

/** Progress of a move. Stored in PostgreSQL, so that a killed command can be resumed on any machine. */
export interface MoveState {
  begin(day: number): Promise<DayState>;
  noteCopied(day: number, copiedTo: string): Promise<void>;
  noteVerified(day: number): Promise<void>;
  /** Resets the day's progress, so that the day is copied again from its start. */
  restart(day: number): Promise<void>;
  /** Deletes the progress of a day without rows left in the source. */
  forget(day: number): Promise<void>;
  selectDeletedUsers(): Promise<DeletedUser[]>;
  /** Records that ClickHouse may have rows that are missing in PostgreSQL. */
  noteClickhouse(): Promise<void>;
  /**
   * Records that all rows are in PostgreSQL again, and returns `true`. Returns `false` if ClickHouse still has rows,
   * or a booked batch may still be written to ClickHouse.
   */
  forgetClickhouse(isEmpty: () => Promise<boolean>): Promise<boolean>;
}

export function openMoveState(pool: pg.Pool, target: MoveTarget): MoveState {
  const set = (assignment: string) => (day: number, value?: string) =>
    pool
      .query(
        `UPDATE log_move_days SET ${assignment} WHERE target = $1 AND day = date '1970-01-01' + $2::integer`,
        value === undefined ? [target, day] : [target, day, value],
      )
      .then(() => undefined);
  return {
    async begin(day) {
      const { rows } = await pool.query<DayState>(
        `INSERT INTO log_move_days (target, day) VALUES ($1, date '1970-01-01' + $2::integer)
         ON CONFLICT (target, day) DO UPDATE SET day = EXCLUDED.day
         RETURNING copied_to AS "copiedTo", verified_at IS NOT NULL AS "isVerified"`,
        [target, day],
      );
      if (!rows[0]) throw new Error('INSERT ... RETURNING returned no row');
      return rows[0];
    },
    noteCopied: set('copied_to = $3'),
    noteVerified: set('verified_at = now()'),
    restart: set('copied_to = NULL, verified_at = NULL'),
    async forget(day) {
      await pool.query("DELETE FROM log_move_days WHERE day = date '1970-01-01' + $1::integer", [day]);
    },
    async selectDeletedUsers() {
      const { rows } = await pool.query<DeletedUser>(
        'SELECT tenant_id AS "tenantId", user_id AS "userId" FROM log_move_deletions',
      );
      return rows;
    },
    async noteClickhouse() {
      await pool.query('INSERT INTO clickhouse_log DEFAULT VALUES ON CONFLICT DO NOTHING');
    },
    forgetClickhouse: (isEmpty) => forgetClickhouse(pool, isEmpty),
  };
}

/**
 * Holds a lock that blocks bookings for ClickHouse. PostgreSQL releases the lock after a timeout if ClickHouse does
 * not respond.
 */
function forgetClickhouse(pool: pg.Pool, isEmpty: () => Promise<boolean>): Promise<boolean> {
  return withConnection(pool, async (client) => {
    await client.query(`BEGIN; SET LOCAL idle_in_transaction_session_timeout = '5s'; SET LOCAL lock_timeout = '5s';
      LOCK TABLE undelivered_scores IN SHARE MODE`);
    const { rows } = await client.query('SELECT FROM undelivered_scores LIMIT 1');
    const isOver = rows.length === 0 && (await isEmpty());
    if (isOver) await client.query('DELETE FROM clickhouse_log');
    await client.query('COMMIT');
    return isOver;
  });
}

/**
 * Runs work unless another command is moving the log. The lock uses one connection of the pool for the whole time,
 * and the work may use the other connections.
 * @throws Error if another command holds the lock
 */
export async function runAlone<Result>(pool: pg.Pool, work: () => Promise<Result>): Promise<Result> {
  const client = await pool.connect();
  try {
    const { rows } = await client.query<{ isFree: boolean }>('SELECT pg_try_advisory_lock($1) AS "isFree"', [
      installationLocks.logMove,
    ]);
    if (!rows[0]?.isFree) throw new Error('Another command is moving the request log.');
    return await work();
  } finally {
    // Closing the connection releases the lock.
    client.release(true);
  }
}
