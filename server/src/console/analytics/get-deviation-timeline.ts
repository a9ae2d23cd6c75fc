import type { DeviationTimeline, KeyOwnerType } from '@sluice/contract';
import type { SignedInContext } from '#http/console-route.ts';
import { selectDeviation, selectDeviationEvents } from './deviation-store.ts';
import { listDays, readRange, type UsageQuery } from './range.ts';

/** Returns daily scores, computed as means of `user_score_after` like those of the top users. */
export function getDeviationTimeline(
  { principal, inTenant }: SignedInContext,
  query: UsageQuery & { breakdown: KeyOwnerType; limit: number },
): Promise<DeviationTimeline> {
  return inTenant(async (tx) => {
    const range = await readRange(tx, principal.tenantId, query);
    const rows = await selectDeviation(tx, range, query);
    return {
      dates: listDays(range),
      series: [...Map.groupBy(rows, ({ id }) => id)].flatMap(([id, days]) =>
        days.slice(0, 1).map((first) => ({
          entity_id: id,
          entity_name: first.name ?? `${query.breakdown === 'user' ? 'User' : 'Team'} #${id}`,
          entity_type: query.breakdown,
          requests: first.totalRequests,
          average_deviation_score: first.totalScore,
          days: days.map(({ date, requests, score }) => ({ date, requests, average_deviation_score: score })),
        })),
      ),
      events: await selectDeviationEvents(tx, range),
    };
  });
}
