import type pg from 'pg';
import { withConnection } from '../held-connection.ts';
import type { DeletedUser } from './move-side.ts';

export type MoveTarget = 'clickhouse' | 'postgres';

export interface DayState {
  readonly copiedTo: string | null;
  readonly isVerified: boolean;
}

/** Progress of a move, stored in PostgreSQL so that a killed command can be continued on any machine. */
export interface MoveState {
  begin(day: number): Promise<DayState>;
  noteCopied(day: number, copiedTo: string): Promise<void>;
  noteVerified(day: number): Promise<void>;
  /** Resets the progress of the day, so that it is copied again from its start. */
  restart(day: number): Promise<void>;
  /** Deletes the progress of a day of which the source has no more rows. */
  forget(day: number): Promise<void>;
  /** Returns the users whose rows were deleted recently. */
  selectDeletedUsers(): Promise<DeletedUser[]>;
  /** Records that ClickHouse may have rows that PostgreSQL lacks. */
  noteClickhouse(): Promise<void>;
  /**
   * Records that all rows are in PostgreSQL again, unless ClickHouse still has rows or a booked batch may still be
   * written there; returns whether it did.
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
 * Uses a lock that blocks bookings for ClickHouse; PostgreSQL releases it after a timeout if ClickHouse does not
 * respond.
 */
function forgetClickhouse(pool: pg.Pool, isEmpty: () => Promise<boolean>): Promise<boolean> {
  return withConnection(pool, async (client) => {
    // The failing query reports the error as well, but without a listener a broken connection would terminate the
    // process.
    client.on('error', ignore);
    try {
      await client.query(`BEGIN; SET LOCAL idle_in_transaction_session_timeout = '5s'; SET LOCAL lock_timeout = '5s';
        LOCK TABLE undelivered_scores IN SHARE MODE`);
      const { rows } = await client.query('SELECT FROM undelivered_scores LIMIT 1');
      const isOver = rows.length === 0 && (await isEmpty());
      if (isOver) await client.query('DELETE FROM clickhouse_log');
      await client.query('COMMIT');
      return isOver;
    } finally {
      client.off('error', ignore);
    }
  });
}

function ignore(): void {}

/** An arbitrary number that no other lock in the database uses. */
const moveLock = 7_153_882_003;

/**
 * Runs work unless another command is moving the log. The lock uses one connection for the whole time; the work may
 * use the others, since only one caller gets the lock.
 * @throws Error if another command has the lock
 */
export async function runAlone<Result>(pool: pg.Pool, work: () => Promise<Result>): Promise<Result> {
  const client = await pool.connect();
  try {
    const { rows } = await client.query<{ isFree: boolean }>('SELECT pg_try_advisory_lock($1) AS "isFree"', [
      moveLock,
    ]);
    if (!rows[0]?.isFree) throw new Error('Another command is moving the request log.');
    return await work();
  } finally {
    // Closes the connection, which releases the lock.
    client.release(true);
  }
}
