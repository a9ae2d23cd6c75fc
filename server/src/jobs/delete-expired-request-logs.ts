import { type SQL, sql } from 'drizzle-orm';
import { deleteInBatches } from '#db/delete-in-batches.ts';
import { keepLogPartitions } from '#db/log-partitions/keep-log-partitions.ts';
import { tenants } from '#db/schema/tenants.ts';
import type { SystemDatabase } from '#db/system.ts';
import { retentionCutoff, retentionPattern } from '#domain/retention.ts';
import type { Clock } from '#platform/clock.ts';
import type { KeptDays, RequestLog } from '#request-log/request-log.ts';
import type { Job, SteppedJob } from './job.ts';

/**
 * Deletes old request logs every night: expired rows and texts of each tenant, and rows of other tables with the same
 * retention. Rollups and the ledger are kept.
 */
export function createDeleteExpiredRequestLogs(clock: Clock, requestLog: RequestLog): SteppedJob {
  return {
    name: 'delete-expired-request-logs',
    pattern: retentionPattern,
    isLong: true,
    async runInSteps({ database, log, signal }) {
      const kept = await selectRetention(database);
      if (kept.length === 0) return;
      const nowMs = clock();
      const { partitions, ...deleted } = await requestLog.deleteExpired(database, kept, nowMs, signal);
      let { rows } = deleted;
      for (const tenant of kept) rows += await deleteOtherPrompts(database, tenant, nowMs, signal);
      if (partitions + rows > 0)
        log.info({ partitions, rows }, 'old partitions of the request log were deleted');
    },
  };
}

function selectRetention(database: SystemDatabase) {
  return database
    .select({
      tenantId: tenants.id,
      retentionDays: tenants.retentionDays,
      bodyRetentionDays: tenants.bodyRetentionDays,
    })
    .from(tenants);
}

async function deleteOtherPrompts(
  database: SystemDatabase,
  { tenantId, retentionDays, bodyRetentionDays }: KeptDays,
  nowMs: number,
  signal: AbortSignal,
): Promise<number> {
  const isOld = (key: SQL, days: number) =>
    sql`tenant_id = ${tenantId} AND ${key} < uuid_floor(${retentionCutoff(nowMs, days).toISOString()}::timestamptz)`;
  const deleteOld = (table: string, days: number, key: 'id' | 'request_id' = 'id') =>
    deleteInBatches(
      database,
      { table, key, keyType: 'uuid', condition: isOld(sql`${sql.identifier(key)}`, days) },
      signal,
    );
  const comparisons = await deleteOld('llm_comparisons', bodyRetentionDays);
  const corrections = await deleteOld('intent_corrections', retentionDays, 'request_id');
  await database.execute(
    sql`UPDATE intent_corrections SET prompt = NULL
      WHERE prompt IS NOT NULL AND ${isOld(sql`request_id`, bodyRetentionDays)}`,
  );
  return comparisons + corrections;
}

/**
 * Maintains the daily log partitions every hour, including partitions that a start had no time for. `clock`
 * determines the current day.
 */
export function createKeepLogPartitions(clock: Clock): Job {
  return {
    name: 'keep-log-partitions',
    pattern: '23 * * * *',
    isLong: true,
    runInSteps: ({ database, log, signal }) => keepLogPartitions(database, { clock, log, signal }),
  };
}
