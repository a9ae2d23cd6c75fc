import type pg from 'pg';
import { withQueryTimeout } from './query-timeout.ts';

/** Undoes a transaction and gives the connection back to its pool; one that does not answer is closed. */
export async function rollBack(client: pg.PoolClient): Promise<void> {
  await client.query(withQueryTimeout('ROLLBACK')).then(
    () => client.release(),
    (broken: Error) => client.release(broken),
  );
}
