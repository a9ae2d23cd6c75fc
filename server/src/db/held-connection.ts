import { AsyncLocalStorage } from 'node:async_hooks';
import type pg from 'pg';
import { explainRefusedWrite } from './explain-refused-write.ts';
import { withQueryTimeout } from './query-timeout.ts';

interface HeldConnection {
  /** Work that was started with the connection may continue after its release. */
  isReleased: boolean;
}

const held = new AsyncLocalStorage<HeldConnection>();

/** Returns whether the running work has a pooled connection that it has not released yet. */
export function isConnectionHeld(): boolean {
  return held.getStore()?.isReleased === false;
}

/**
 * Connects to another pool, although the caller already has a pooled connection. The other pool must have a
 * connection for each one of the caller's pool, so that callers do not wait for each other.
 */
export function connectBeyond(pool: pg.Pool): Promise<pg.PoolClient> {
  return held.exit(() => pool.connect());
}

/**
 * Runs work with a pooled connection and releases it; rolls back if the work fails. The work must not wait for a
 * second connection: callers that wait for each other stall until the pool's timeout.
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
    await rollBack(client);
    throw explainRefusedWrite(error);
  }
}

/** Rolls back a transaction and returns the connection to its pool; closes a connection that does not respond. */
async function rollBack(client: pg.PoolClient): Promise<void> {
  await client.query(withQueryTimeout('ROLLBACK')).then(
    () => client.release(),
    (broken: Error) => client.release(broken),
  );
}
