import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import type pg from 'pg';
import type { TenantLog } from '#domain/request-log/tenant-log.ts';
import { type Actor, nameActor } from './actor.ts';
import { withConnection } from './held-connection.ts';

/** A transaction limited to one tenant by row-level security. */
export type TenantTransaction = NodePgDatabase;

/** A tenant's transaction and the tenant's request log, which may be in another database. */
export type LogTransaction = TenantTransaction & { readonly requestLog: TenantLog };

/** Opens the request log of a tenant for the duration of one of its transactions. */
export type OpenTenantLog = (tx: TenantTransaction, tenantId: number) => TenantLog;

/**
 * Runs work in one transaction that sees only the rows of one tenant; without an actor its changes are attributed to
 * the system.
 */
export type RunInTenant = <Result>(
  tenantId: number,
  work: (tx: LogTransaction) => Promise<Result>,
  actor?: Actor,
) => Promise<Result>;

/**
 * The console's only access to tenant tables: a transaction under the role `sluice_tenant` with `app.tenant` set, both
 * reset at its end. One more round trip than a bare transaction. The request log is bound to the same tenant here, and
 * nowhere else.
 */
export function createRunInTenant(pool: pg.Pool, openLog: OpenTenantLog): RunInTenant {
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
      const tx = drizzle({ client });
      const result = await work(Object.assign(tx, { requestLog: openLog(tx, tenantId) }));
      await client.query('COMMIT');
      return result;
    });
  };
}
