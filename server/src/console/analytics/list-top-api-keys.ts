import type { KeyOwnerType, TopApiKey, UsageMetric } from '@sluice/contract';
import type { SignedInContext } from '#http/console-route.ts';
import { readRange, type UsageQuery } from './range.ts';
import { selectTopApiKeys } from './store.ts';

interface TopApiKeysQuery extends UsageQuery {
  readonly limit: number;
  readonly metric: UsageMetric;
  readonly breakdown?: KeyOwnerType | undefined;
}

/** Counts a request under a team's grant for both its user and the team. Shares are of all requests made with keys. */
export async function listTopApiKeys(
  { principal, inTenant }: SignedInContext,
  query: TopApiKeysQuery,
): Promise<TopApiKey[]> {
  const { limit, metric, breakdown } = query;
  const rows = await inTenant(async (tx) =>
    selectTopApiKeys(tx, await readRange(tx, principal.tenantId, query), { limit, metric, breakdown }),
  );
  return rows.map(({ type, id, name, requests, tokens, lastUsed, totalRequests, totalTokens }) => ({
    entity_id: id,
    entity_name: name ?? `${type === 'team' ? 'Team' : 'User'} #${id}`,
    entity_type: type,
    total_requests: requests,
    total_tokens: tokens,
    percentage: metric === 'tokens' ? share(tokens, totalTokens) : share(requests, totalRequests),
    last_used: lastUsed,
  }));
}

const share = (part: number, whole: number) => (whole === 0 ? 0 : (part / whole) * 100);
