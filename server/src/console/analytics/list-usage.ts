import {
  type DailyRefusals,
  type DailySpend,
  type DailyUsage,
  type KeyOwnerType,
  providerNames,
  type TopApiKey,
  type TopModel,
  type TopUser,
  toUsd,
  type UsageMetric,
} from '@sluice/contract';
import type { TenantTransaction } from '#db/tenant.ts';
import type { Principal } from '#domain/principal.ts';
import { listDays, readRange, type UsageQuery } from './range.ts';
import {
  selectDailyUsage,
  selectRefusals,
  selectSpend,
  selectTopApiKeys,
  selectTopModels,
  selectTopUsers,
} from './store.ts';

/** Returns one entry for each day of the range, oldest first. */
export async function listDailyUsage(
  tx: TenantTransaction,
  author: Principal,
  query: UsageQuery,
): Promise<DailyUsage[]> {
  const range = await readRange(tx, author.tenantId, query);
  const used = new Map((await selectDailyUsage(tx, range)).map((row) => [row.date, row]));
  return listDays(range).map((date) => {
    const { tokens, users } = used.get(date) ?? { tokens: 0, users: 0 };
    return { date, tokens, unique_users: users };
  });
}

export async function listDailyRefusals(
  tx: TenantTransaction,
  author: Principal,
  query: UsageQuery,
): Promise<DailyRefusals[]> {
  return selectRefusals(tx, await readRange(tx, author.tenantId, query));
}

export async function listSpendByProvider(
  tx: TenantTransaction,
  author: Principal,
  query: UsageQuery,
): Promise<DailySpend[]> {
  const rows = await selectSpend(tx, await readRange(tx, author.tenantId, query));
  return rows.map(({ date, providerKey, providerName, self, service }) => ({
    provider_key: providerKey ?? '',
    provider_name: providerName ?? providerNames[providerKey ?? ''] ?? providerKey ?? '',
    date,
    user_llm_spend: toUsd(BigInt(self)),
    company_llm_spend: toUsd(BigInt(service)),
    total_spend: toUsd(BigInt(self) + BigInt(service)),
  }));
}

interface TopApiKeysQuery extends UsageQuery {
  readonly limit: number;
  readonly metric: UsageMetric;
  readonly breakdown?: KeyOwnerType | undefined;
}

/** Counts a request under a team's grant for both its user and the team. Shares are of all requests made with keys. */
export async function listTopApiKeys(
  tx: TenantTransaction,
  author: Principal,
  query: TopApiKeysQuery,
): Promise<TopApiKey[]> {
  const { limit, metric, breakdown } = query;
  const rows = await selectTopApiKeys(tx, await readRange(tx, author.tenantId, query), {
    limit,
    metric,
    breakdown,
  });
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

/** Rows that were stored without their texts have no model. */
export async function listTopModels(
  tx: TenantTransaction,
  author: Principal,
  query: UsageQuery & { limit: number },
): Promise<TopModel[]> {
  const rows = await selectTopModels(tx, await readRange(tx, author.tenantId, query), query.limit);
  return rows.map(({ model, providerKey, requests, tokens, users, total }) => ({
    model: model ?? '',
    provider_key: providerKey ?? '',
    total_requests: requests,
    total_tokens: tokens,
    unique_users: users,
    percentage: (requests / total) * 100,
  }));
}

export async function listTopUsers(
  tx: TenantTransaction,
  author: Principal,
  query: UsageQuery & { limit: number; metric: UsageMetric },
): Promise<TopUser[]> {
  const rows = await selectTopUsers(tx, await readRange(tx, author.tenantId, query), query);
  return rows.map(({ id, name, requests, tokens, score, lastRequest }) => ({
    user_id: id,
    user_name: name ?? `User #${id}`,
    total_requests: requests,
    total_tokens: tokens,
    average_deviation_score: score,
    last_request: lastRequest,
  }));
}
