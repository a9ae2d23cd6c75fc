import type { TopUser, UsageMetric } from '@sluice/contract';
import type { SignedInContext } from '#http/console-route.ts';
import { readRange, type UsageQuery } from './range.ts';
import { selectTopUsers } from './store.ts';

export async function listTopUsers(
  { principal, inTenant }: SignedInContext,
  query: UsageQuery & { limit: number; metric: UsageMetric },
): Promise<TopUser[]> {
  const rows = await inTenant(async (tx) =>
    selectTopUsers(tx, await readRange(tx, principal.tenantId, query), query),
  );
  return rows.map(({ id, name, requests, tokens, score, lastRequest }) => ({
    user_id: id,
    user_name: name ?? `User #${id}`,
    total_requests: requests,
    total_tokens: tokens,
    average_deviation_score: score,
    last_request: lastRequest,
  }));
}
