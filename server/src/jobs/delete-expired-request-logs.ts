import { type SQL, sql } from 'drizzle-orm';
import { dayOf } from '#db/log-partitions/day-partition.ts';
import { dropDaysBefore } from '#db/log-partitions/drop-day.ts';
import { keepLogPartitions } from '#db/log-partitions/keep-log-partitions.ts';
import { tenants } from '#db/schema/tenants.ts';
import type { SystemDatabase } from '#db/system.ts';
import { retentionCutoff, retentionPattern } from '#domain/retention.ts';
import type { Clock } from '#platform/clock.ts';
import { deleteInBatches } from './delete-old-rows.ts';
import type { Job, SteppedJob } from './job.ts';

/**
 * Deletes old request logs, every night: drops days that no tenant keeps as whole partitions, then deletes each
 * tenant's expired rows and texts in batches. Rollups and the ledger stay.
 */
export function createDeleteExpiredRequestLogs(clock: Clock): SteppedJob {
  return {
    name: 'delete-expired-request-logs',
    pattern: retentionPattern,
    isLong: true,
    async runInSteps({ database, log, signal }) {
      const kept = await selectRetention(database);
      if (kept.length === 0) return;
      const nowMs = clock();
      const longest = (days: readonly number[]) => dayOf(retentionCutoff(nowMs, Math.max(...days)).getTime());
      const lastRows = longest(kept.map(({ retentionDays }) => retentionDays));
      const lastBodies = longest(kept.map(({ bodyRetentionDays }) => bodyRetentionDays));
      const partitions =
        (await dropDaysBefore(database, 'request_log_text_blocks', lastBodies, signal)) +
        (await dropDaysBefore(database, 'request_log_bodies', lastBodies, signal)) +
        (await dropDaysBefore(database, 'request_logs', lastRows, signal));
      let rows = 0;
      for (const tenant of kept) rows += await deleteRowsOfTenant(database, tenant, nowMs, signal);
      if (partitions + rows > 0)
        log.info({ partitions, rows }, 'old partitions of the request log were deleted');
    },
  };
}

type Kept = Awaited<ReturnType<typeof selectRetention>>[number];

function selectRetention(database: SystemDatabase) {
  return database
    .select({
      tenantId: tenants.id,
      retentionDays: tenants.retentionDays,
      bodyRetentionDays: tenants.bodyRetentionDays,
    })
    .from(tenants);
}

async function deleteRowsOfTenant(
  database: SystemDatabase,
  { tenantId, retentionDays, bodyRetentionDays }: Kept,
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
  // Delete the search blocks before the texts that they point to.
  await deleteOld('request_log_text_blocks', bodyRetentionDays);
  const bodies = await deleteOld('request_log_bodies', bodyRetentionDays);
  const rows = await deleteOld('request_logs', retentionDays);
  // Other tables with prompts: comparisons with their responses, and corrections of intents.
  const comparisons = await deleteOld('llm_comparisons', bodyRetentionDays);
  const corrections = await deleteOld('intent_corrections', retentionDays, 'request_id');
  await database.execute(
    sql`UPDATE intent_corrections SET prompt = NULL
      WHERE prompt IS NOT NULL AND ${isOld(sql`request_id`, bodyRetentionDays)}`,
  );
  return bodies + rows + comparisons + corrections;
}

/** Maintains the daily partitions every hour for days of `clock`, including those that a start had no time for. */
export function createKeepLogPartitions(clock: Clock): Job {
  return {
    name: 'keep-log-partitions',
    pattern: '23 * * * *',
    isLong: true,
    runInSteps: ({ database, log, signal }) => keepLogPartitions(database, { clock, log, signal }),
  };
}
