import { type SQL, sql } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import { deleteInBatches } from '#db/delete-in-batches.ts';
import { dayOf } from '#db/log-partitions/day-partition.ts';
import { dropDaysBefore } from '#db/log-partitions/drop-day.ts';
import { retentionCutoff } from '#domain/retention.ts';
import type { KeptDays } from '../request-log.ts';

/** Drops whole partitions for days that no tenant keeps. Deletes other expired rows and texts in batches. */
export async function deleteExpired(
  database: NodePgDatabase,
  kept: readonly KeptDays[],
  nowMs: number,
  signal: AbortSignal,
): Promise<{ partitions: number; rows: number }> {
  const longest = (days: readonly number[]) => dayOf(retentionCutoff(nowMs, Math.max(...days)).getTime());
  const lastRows = longest(kept.map(({ retentionDays }) => retentionDays));
  const lastBodies = longest(kept.map(({ bodyRetentionDays }) => bodyRetentionDays));
  const partitions =
    (await dropDaysBefore(database, 'request_log_text_blocks', lastBodies, signal)) +
    (await dropDaysBefore(database, 'request_log_bodies', lastBodies, signal)) +
    (await dropDaysBefore(database, 'request_logs', lastRows, signal));
  await database.execute(sql`DELETE FROM log_move_deletions
    WHERE deleted_at < now() - interval '30 days' AND NOT EXISTS (SELECT FROM log_move_days)`);
  let rows = 0;
  for (const { tenantId, retentionDays, bodyRetentionDays } of kept) {
    const deleteOld = (table: LogTable, days: number) =>
      deleteRows(
        database,
        table,
        sql`tenant_id = ${tenantId} AND id < uuid_floor(${retentionCutoff(nowMs, days).toISOString()}::timestamptz)`,
        signal,
      );
    // Delete search blocks before the texts that they reference.
    await deleteOld('request_log_text_blocks', bodyRetentionDays);
    rows += await deleteOld('request_log_bodies', bodyRetentionDays);
    rows += await deleteOld('request_logs', retentionDays);
  }
  return { partitions, rows };
}

type LogTable = 'request_logs' | 'request_log_bodies' | 'request_log_text_blocks';

const deleteRows = (database: NodePgDatabase, table: LogTable, condition: SQL, signal: AbortSignal) =>
  deleteInBatches(database, { table, key: 'id', keyType: 'uuid', condition }, signal);

/** Keeps search blocks, because they contain no text and also cover rows of other users. */
export async function deleteOfUser(
  database: NodePgDatabase,
  { tenantId, userId }: { readonly tenantId: number; readonly userId: number },
  signal: AbortSignal,
): Promise<number> {
  const isOwn = sql`tenant_id = ${tenantId} AND user_id = ${userId}`;
  // Record the deletion for a move of the log to another database, which may have read the rows already.
  await database.execute(sql`INSERT INTO log_move_deletions (tenant_id, user_id) VALUES (${tenantId}, ${userId})
    ON CONFLICT (tenant_id, user_id) DO UPDATE SET deleted_at = now()`);
  // Delete texts first. If the deletion is interrupted, the remaining rows still identify the owner of the texts.
  await deleteRows(
    database,
    'request_log_bodies',
    sql`tenant_id = ${tenantId} AND id IN (SELECT id FROM request_logs WHERE ${isOwn})`,
    signal,
  );
  return deleteRows(database, 'request_logs', isOwn, signal);
}
