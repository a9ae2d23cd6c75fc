import type pg from 'pg';
import { withQueryTimeout } from './query-timeout.ts';

/** Rolls back a transaction and returns the connection to its pool; closes one that does not respond. */
export async function rollBack(client: pg.PoolClient): Promise<void> {
  await client.query(withQueryTimeout('ROLLBACK')).then(
    () => client.release(),
    (broken: Error) => client.release(broken),
  );
}
