import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import type pg from 'pg';
import { type Actor, nameActor } from './actor.ts';
import { withConnection } from './held-connection.ts';

/** Queries of one tenant's transaction; row-level security stands behind each of them. */
export type TenantTransaction = NodePgDatabase;

/** Runs work in one transaction that sees the rows of one tenant only; without an actor its changes are the system's. */
export type RunInTenant = <Result>(
  tenantId: number,
  work: (tx: TenantTransaction) => Promise<Result>,
  actor?: Actor,
) => Promise<Result>;

/**
 * The only way by which the console reaches tenant tables: a transaction under the role `sluice_tenant` with
 * `app.tenant` set, both undone at its end. One round trip more than a bare transaction.
 */
export function createRunInTenant(pool: pg.Pool): RunInTenant {
  return async (tenantId, work, actor) => {
    if (!Number.isInteger(tenantId)) throw new TypeError('a tenant id is an integer');
    return withConnection(pool, async (client) => {
      await client.query(
        [
          'BEGIN',
          'SET LOCAL ROLE sluice_tenant',
          `SELECT set_config('app.tenant', '${tenantId}', true)`,
          ...(actor ? [nameActor(actor)] : []),
        ].join('; '),
      );
      const result = await work(drizzle({ client }));
      await client.query('COMMIT');
      return result;
    });
  };
}
