import { ne, sql } from 'drizzle-orm';
import { usageDaySpans } from '#db/schema/request-logs.ts';
import type { Job } from './job.ts';

/**
 * Recomputes the analytics days of tenants whose time zone has changed, one day per transaction, newest first.
 * Requests of such a tenant wait for at most one transaction before they are shipped.
 */
export const extendUsageDays: Job = {
  name: 'extend-usage-days',
  pattern: '* * * * *',
  isLong: true,
  async runInSteps({ database, log, signal }) {
    const spans = await database.select().from(usageDaySpans).where(ne(usageDaySpans.wholeFrom, '-infinity'));
    for (const { tenantId, timeZone } of spans) {
      let isMore = true;
      while (isMore && !signal.aborted) {
        const { rows } = await database.execute<{ isMore: boolean }>(
          sql`SELECT extend_usage_days(${tenantId}) AS "isMore"`,
        );
        isMore = rows[0]?.isMore ?? false;
      }
      if (!isMore) log.info({ tenantId, timeZone }, 'the daily analytics are complete');
    }
  },
};
