import { AsyncLocalStorage } from 'node:async_hooks';
import type pg from 'pg';
import { explainRefusedWrite } from './explain-refused-write.ts';
import { withQueryTimeout } from './query-timeout.ts';

interface HeldConnection {
  /** True once the connection is released. Work started with the connection may continue after its release. */
  isReleased: boolean;
}

const held = new AsyncLocalStorage<HeldConnection>();

/** Returns whether the current asynchronous context has a pooled connection that is not released yet. */
export function isConnectionHeld(): boolean {
  return held.getStore()?.isReleased === false;
}

/**
 * Connects to another pool while the caller holds a pooled connection. To prevent deadlocks, the other pool must have
 * at least as many connections as the caller's pool.
 */
export function connectBeyond(pool: pg.Pool): Promise<pg.PoolClient> {
  return held.exit(() => pool.connect());
}

/**
 * Runs work with a pooled connection and releases the connection. Rolls back if the work fails. The work must not
 * wait for a second connection, because callers waiting for each other would stall until the pool's timeout.
 */
export async function withConnection<Result>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect();
  const hold: HeldConnection = { isReleased: false };
  try {
    const result = await held.run(hold, () => work(client));
    hold.isReleased = true;
    client.release();
    return result;
  } catch (error) {
    hold.isReleased = true;
    await endTransaction(client, 'ROLLBACK');
    throw explainRefusedWrite(error);
  }
}

/** Ends the transaction and releases its connection. Closes the connection if it does not respond. */
export async function endTransaction(client: pg.PoolClient, statement: 'COMMIT' | 'ROLLBACK'): Promise<void> {
  await client.query(withQueryTimeout(statement)).then(
    () => client.release(),
    (broken: Error) => client.release(broken),
  );
}
