import { sql } from 'drizzle-orm';
import { tenants } from '#db/schema/tenants.ts';
import { retentionCutoff, retentionPattern } from '#domain/retention.ts';
import type { Clock } from '#platform/clock.ts';
import { deleteInBatches } from './delete-in-batches.ts';
import type { Job } from './job.ts';

/**
 * Deletes expired usage, every night. Deletes only whole days of the tenant's time zone, from rollups and days alike,
 * so that both stay consistent.
 */
export function createForgetUsage(clock: Clock): Job {
  return {
    name: 'forget-usage',
    pattern: retentionPattern,
    isLong: true,
    async runInSteps({ database, log, signal }) {
      const { id, timeZone, usageRetentionDays } = tenants;
      const kept = await database.select({ id, timeZone, days: usageRetentionDays }).from(tenants);
      let deleted = 0;
      for (const { id: tenantId, timeZone: zone, days } of kept) {
        const cutoff = sql`${retentionCutoff(clock(), days).toISOString()}::timestamptz`;
        const firstDay = sql`(${cutoff} AT TIME ZONE ${zone})::date`;
        const isOld = {
          usage_rollups: sql`bucket_start < ${firstDay}::timestamp AT TIME ZONE ${zone}`,
          usage_days: sql`day < ${firstDay}`,
        };
        for (const [table, condition] of Object.entries(isOld))
          deleted += await deleteInBatches(
            database,
            { table, key: 'ctid', keyType: 'tid', condition: sql`tenant_id = ${tenantId} AND ${condition}` },
            signal,
          );
      }
      if (deleted > 0) log.info({ rows: deleted }, 'old usage was deleted');
    },
  };
}
