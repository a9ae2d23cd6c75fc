import { ne, sql } from 'drizzle-orm';
import { usageDaySpans } from '#db/schema/usage-day-spans.ts';
import type { Job } from './job.ts';

/**
 * Makes the days of analytics anew where a tenant's zone has changed, a day a transaction, the newest first. What ships
 * requests of that tenant waits for one of them at most.
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
      if (!isMore) log.info({ tenantId, timeZone }, 'the days of analytics are whole');
    }
  },
};
