import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import type pg from 'pg';
import type { TenantLog } from '#domain/request-log/tenant-log.ts';
import { type Actor, nameActor } from './actor.ts';
import { withConnection } from './held-connection.ts';
import type { Replica } from './replica/replica.ts';
import type { ReplicaSession } from './replica/replica-session.ts';
import type { ReportRead } from './replica/report-read.ts';

/** Transaction restricted to one tenant by row-level security. */
export type TenantTransaction = NodePgDatabase;

/** The tenant's request log may be in another database. */
export interface LogTransaction extends TenantTransaction {
  readonly requestLog: TenantLog;
  /**
   * Transaction for queries that sum usage. Read-only on the replica if there is one; otherwise the transaction
   * itself.
   */
  readonly reports: LogTransaction;
}

export type OpenTenantLog = (
  tx: TenantTransaction,
  tenantId: number,
  reports: TenantTransaction,
) => TenantLog;

/**
 * Runs work in a transaction that only sees the rows of one tenant. Without an actor, changes are attributed to the
 * system.
 */
export type RunInTenant = <Result>(
  tenantId: number,
  work: (tx: LogTransaction) => Promise<Result>,
  actor?: Actor,
  /** Allows reports to be read from a replica. Only for work that makes no changes. */
  reportRead?: ReportRead,
) => Promise<Result>;

/**
 * Creates the console's only access to tenant tables: a transaction under the role `sluice_tenant` with `app.tenant`
 * set. Both are set together with BEGIN and are reset at the end of the transaction. The request log is restricted to
 * the same tenant.
 */
export function createRunInTenant(
  pool: pg.Pool,
  openLog: OpenTenantLog,
  replica: Pick<Replica, 'open'> | null = null,
): RunInTenant {
  return async (tenantId, work, actor, reportRead) => {
    if (!Number.isInteger(tenantId)) throw new TypeError('a tenant id must be an integer');
    return withConnection(pool, async (client) => {
      await client.query(
        [
          'BEGIN',
          'SET LOCAL ROLE sluice_tenant',
          `SELECT set_config('app.tenant', '${tenantId}', true)`,
          ...(actor ? [nameActor(actor)] : []),
        ].join('; '),
      );
      const session = reportRead ? replica?.open(client, tenantId, reportRead) : undefined;
      try {
        const result = await work(openTransaction(client, session, tenantId, openLog));
        await client.query('COMMIT');
        return result;
      } finally {
        await session?.close();
      }
    });
  };
}

function openTransaction(
  client: pg.PoolClient,
  session: ReplicaSession | undefined,
  tenantId: number,
  openLog: OpenTenantLog,
): LogTransaction {
  const tx = drizzle({ client });
  // safe because Drizzle only calls `query`
  const reports = session ? drizzle({ client: session as unknown as pg.PoolClient }) : tx;
  const requestLog = openLog(tx, tenantId, reports);
  const ofReports: object = Object.assign(reports, { requestLog, reports });
  return Object.assign(tx, { requestLog, reports: ofReports as LogTransaction });
}
