import { eq, like, sql } from 'drizzle-orm';
import { banners } from '#db/schema/banners.ts';
import { scoreEvents } from '#db/schema/score-events.ts';
import type { Job } from './job.ts';

/**
 * Removes the banner about a deviation policy at its block-rate limit, once the limit has spared no user for an hour.
 */
export const removeBlockRateBanners: Job = {
  name: 'remove-block-rate-banners',
  pattern: '*/10 * * * *',
  async run(tx) {
    const isLimited = sql`EXISTS (SELECT FROM ${scoreEvents} WHERE ${eq(scoreEvents.tenantId, banners.tenantId)}
      AND ${eq(scoreEvents.kind, 'spare')} AND ${scoreEvents.createdAt} > now() - interval '1 hour')`;
    await tx.delete(banners).where(sql`${like(banners.id, 'deviation-brake-%')} AND NOT ${isLimited}`);
  },
};
