import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import { dayOf } from '#db/log-partitions/day-partition.ts';
import { retentionCutoff } from '#domain/retention.ts';
import * as inPostgres from '../postgres/delete-rows.ts';
import type { KeptDays } from '../request-log.ts';
import type { ClickhouseConnection } from './connection.ts';
import { floorOf } from './row-id.ts';

/** Columns cleared by retention before the row expires. A cleared row has `prompt_privacy` NULL. */
const textColumns = [
  ...['prompt', 'response', 'request_body', 'request_bytes', 'request_sha256', 'response_bytes'],
  ...['body_object', 'body_offset', 'body_length'],
  'prompt_privacy',
];

/**
 * Drops or clears whole partitions for days that no tenant keeps. Deletes other expired rows, and clears other
 * expired texts, with one statement each. Also deletes expired rows that are still in PostgreSQL.
 */
export async function deleteExpired(
  connection: ClickhouseConnection,
  database: NodePgDatabase,
  kept: readonly KeptDays[],
  nowMs: number,
  signal: AbortSignal,
): Promise<{ partitions: number; rows: number }> {
  const postgres = await inPostgres.deleteExpired(database, kept, nowMs, signal);
  const longest = (days: readonly number[]) => dayOf(retentionCutoff(nowMs, Math.max(...days)).getTime());
  const firstRows = longest(kept.map(({ retentionDays }) => retentionDays));
  const firstTexts = longest(kept.map(({ bodyRetentionDays }) => bodyRetentionDays));
  let partitions = postgres.partitions;
  const { onCluster, stored } = connection.tables;
  for (const { partition, hasTexts } of await listPartitions(connection, Math.max(firstRows, firstTexts))) {
    const day = dayOf(Date.parse(partition));
    if (signal.aborted || (day >= firstRows && (day >= firstTexts || !hasTexts))) continue;
    await connection.run(
      `ALTER TABLE ${stored}${onCluster} ${day < firstRows ? dropDay(partition) : clearTexts(partition)}`,
    );
    partitions += 1;
  }
  const expiredRows = isExpired(kept, nowMs, ({ retentionDays }) => retentionDays);
  const expiredTexts = `prompt_privacy IS NOT NULL AND ${isExpired(kept, nowMs, ({ bodyRetentionDays }) => bodyRetentionDays)}`;
  const texts = await changeRows(
    connection,
    expiredTexts,
    clearExpiredTexts(connection, expiredTexts),
    signal,
  );
  const rows = await changeRows(connection, expiredRows, deleteFrom(connection, expiredRows), signal);
  return { partitions, rows: postgres.rows + texts + rows };
}

export async function deleteOfUser(
  connection: ClickhouseConnection,
  database: NodePgDatabase,
  user: { readonly tenantId: number; readonly userId: number },
  signal: AbortSignal,
): Promise<number> {
  const postgresRows = await inPostgres.deleteOfUser(database, user, signal);
  const isOwn = `tenant_id = ${Number(user.tenantId)} AND user_id = ${Number(user.userId)}`;
  return postgresRows + (await changeRows(connection, isOwn, deleteFrom(connection, isOwn), signal));
}

function listPartitions(connection: ClickhouseConnection, end: number) {
  return connection.read<{ partition: string; hasTexts: number }>(
    `SELECT toString(toDate(fromUnixTimestamp64Milli(toInt64(bitShiftRight(id, 80)), 'UTC'))) AS partition,
       max(prompt_privacy IS NOT NULL) AS "hasTexts"
     FROM request_logs WHERE id < {end:UInt128} GROUP BY partition ORDER BY partition`,
    { params: { end: floorOf(end * dayMs) }, timeoutMs: scanTimeoutMs },
  );
}

/** Timeout of retention queries, which read old days of all tenants. */
const scanTimeoutMs = 600_000;
const dayMs = 86_400_000;

const deleteFrom = ({ tables: { onCluster, stored } }: ClickhouseConnection, condition: string) =>
  `DELETE FROM ${stored}${onCluster} WHERE ${condition}`;
const dropDay = (partition: string) => `DROP PARTITION '${partition}'`;
const clearTexts = (partition: string) =>
  textColumns.map((column) => `CLEAR COLUMN ${column} IN PARTITION '${partition}'`).join(', ');

const clearExpiredTexts = ({ tables: { onCluster, stored } }: ClickhouseConnection, condition: string) =>
  `ALTER TABLE ${stored}${onCluster} UPDATE ${textColumns.map((column) => `${column} = NULL`).join(', ')}
   WHERE ${condition} SETTINGS mutations_sync = 2`;

function isExpired(kept: readonly KeptDays[], nowMs: number, daysOf: (tenant: KeptDays) => number): string {
  const cutoffs = kept.map((tenant) => retentionCutoff(nowMs, daysOf(tenant)).getTime());
  const tenants = kept.map(({ tenantId }) => Number(tenantId));
  return `id < toUInt128('${floorOf(Math.max(...cutoffs))}')
    AND toInt64(bitShiftRight(id, 80)) < transform(tenant_id, [${tenants.join()}], CAST([${cutoffs.join()}], 'Array(Int64)'), toInt64(0))`;
}

/** Runs the statement if any row matches the condition. Returns the number of matching rows. */
async function changeRows(
  connection: ClickhouseConnection,
  condition: string,
  statement: string,
  signal: AbortSignal,
): Promise<number> {
  if (signal.aborted) return 0;
  const [found] = await connection.read<{ rows: string }>(
    `SELECT count() AS rows FROM request_logs WHERE ${condition}`,
    { timeoutMs: scanTimeoutMs },
  );
  const rows = Number(found?.rows ?? 0);
  if (rows > 0) await connection.run(statement);
  return rows;
}
