import type { TopModel } from '@sluice/contract';
import type { SignedInContext } from '#http/console-route.ts';
import { readRange, type UsageQuery } from './range.ts';
import { selectTopModels } from './store.ts';

/** Rows that were stored without their texts have no model. */
export async function listTopModels(
  { principal, inTenant }: SignedInContext,
  query: UsageQuery & { limit: number },
): Promise<TopModel[]> {
  const rows = await inTenant(async (tx) =>
    selectTopModels(tx, await readRange(tx, principal.tenantId, query), query.limit),
  );
  return rows.map(({ model, providerKey, requests, tokens, users, total }) => ({
    model: model ?? '',
    provider_key: providerKey ?? '',
    total_requests: requests,
    total_tokens: tokens,
    unique_users: users,
    percentage: (requests / total) * 100,
  }));
}
