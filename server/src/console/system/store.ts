import type { NodeReport, Operation } from '@sluice/contract';
import { asc, sql } from 'drizzle-orm';
import { nodeReports } from '#db/schema/platform.ts';
import type { SystemDatabase } from '#db/system.ts';

/** Nodes whose last report is older are hidden. */
const shownFor = sql`interval '1 minute'`;
const forgottenAfter = sql`interval '10 minutes'`;

export async function saveNodeReport(
  database: SystemDatabase,
  name: string,
  report: NodeReport,
): Promise<void> {
  await database
    .insert(nodeReports)
    .values({ name, report })
    .onConflictDoUpdate({ target: nodeReports.name, set: { report, seenAt: sql`now()` } });
  await database.delete(nodeReports).where(sql`${nodeReports.seenAt} < now() - ${forgottenAfter}`);
}

export async function removeNodeReport(database: SystemDatabase, name: string): Promise<void> {
  await database.delete(nodeReports).where(sql`${nodeReports.name} = ${name}`);
}

export function listNodeReports(database: SystemDatabase) {
  return database
    .select()
    .from(nodeReports)
    .where(sql`${nodeReports.seenAt} > now() - ${shownFor}`)
    .orderBy(asc(nodeReports.name));
}

export async function readDatabase(database: SystemDatabase): Promise<Operation['database']> {
  const { rows } = await database.execute<{
    version: string;
    size_bytes: string;
    connections: number;
    connections_max: number;
  }>(sql`SELECT current_setting('server_version') AS version, pg_database_size(current_database()) AS size_bytes,
    (SELECT count(*)::int FROM pg_stat_activity WHERE backend_type = 'client backend') AS connections,
    current_setting('max_connections')::int AS connections_max`);
  const [row] = rows;
  if (!row) throw new Error('the database returned no status');
  return { ...row, size_bytes: Number(row.size_bytes) };
}

/** A circuit reported by several nodes is listed once. */
export async function listOpenCircuits(database: SystemDatabase): Promise<Operation['circuits']> {
  const { rows } = await database.execute<{
    tenant_name: string;
    provider_instance_name: string;
    model: string;
    retry_at: Date | string;
  }>(sql`SELECT t.name AS tenant_name, p.provider_instance_name, c.model, max(c.retry_at) AS retry_at
    FROM provider_circuits c JOIN nodes n ON n.id = c.node_id AND n.expires_at > now()
    JOIN llm_providers p ON p.id = c.llm_provider_id JOIN tenants t ON t.id = c.tenant_id
    GROUP BY 1, 2, 3 ORDER BY 1, 2, 3 LIMIT 200`);
  return rows.map((row) => ({ ...row, retry_at: new Date(row.retry_at).toISOString() }));
}

export async function countUnsentMails(
  database: SystemDatabase,
): Promise<{ readonly waiting: number; readonly held: number }> {
  const { rows } = await database.execute<{ waiting: number; held: number }>(
    sql`SELECT count(*) FILTER (WHERE status = 'queued')::int AS waiting, count(*) FILTER (WHERE status = 'held')::int AS held
      FROM mails WHERE status IN ('queued', 'held') AND expires_at > now()`,
  );
  return rows[0] ?? { waiting: 0, held: 0 };
}
