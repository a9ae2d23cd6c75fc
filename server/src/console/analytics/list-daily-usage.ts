import type { DailyUsage } from '@sluice/contract';
import type { SignedInContext } from '#http/console-route.ts';
import { listDays, readRange, type UsageQuery } from './range.ts';
import { selectDailyUsage } from './store.ts';

/** Returns one entry for each day of the range, oldest first. */
export function listDailyUsage(
  { principal, inTenant }: SignedInContext,
  query: UsageQuery,
): Promise<DailyUsage[]> {
  return inTenant(async (tx) => {
    const range = await readRange(tx, principal.tenantId, query);
    const used = new Map((await selectDailyUsage(tx, range)).map((row) => [row.date, row]));
    return listDays(range).map((date) => {
      const { tokens, users } = used.get(date) ?? { tokens: 0, users: 0 };
      return { date, tokens, unique_users: users };
    });
  });
}
