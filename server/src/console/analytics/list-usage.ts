import {
  type DailyRefusals,
  type DailySpend,
  type DailyUsage,
  type KeyOwnerType,
  providerNames,
  type TopApiKey,
  type TopLabel,
  type TopModel,
  type TopTeam,
  type TopUser,
  toUsd,
  type UsageMetric,
  type UsedLabel,
} from '@sluice/contract';
import type { LogTransaction, TenantTransaction } from '#db/tenant.ts';
import type { Principal } from '#domain/principal.ts';
import { type DayRange, listDays, readRange, type UsageQuery } from './range.ts';
import {
  selectTopApiKeys,
  selectTopLabels,
  selectTopModels,
  selectTopTeams,
  selectTopUsers,
  selectUsedLabels,
} from './select-top.ts';
import { selectDailyUsage, selectSpend } from './store.ts';

export async function listDailyUsage(
  tx: TenantTransaction,
  author: Principal,
  query: UsageQuery,
): Promise<DailyUsage[]> {
  return readDailyUsage(tx, await readRange(tx, author.tenantId, query));
}

export async function readDailyUsage(tx: TenantTransaction, range: DayRange): Promise<DailyUsage[]> {
  const used = new Map((await selectDailyUsage(tx, range)).map((row) => [row.date, row]));
  return listDays(range).map((date) => {
    const { tokens, requests, cost, users } = used.get(date) ?? unused;
    return { date, tokens, requests, cost_usd: toUsd(BigInt(cost)), unique_users: users };
  });
}

const unused = { tokens: 0, requests: 0, cost: '0', users: 0 };

export async function listDailyRefusals(
  tx: LogTransaction,
  author: Principal,
  query: UsageQuery,
): Promise<DailyRefusals[]> {
  return tx.requestLog.countRefusals(await readRange(tx, author.tenantId, query));
}

export async function listSpendByProvider(
  tx: TenantTransaction,
  author: Principal,
  query: UsageQuery,
): Promise<DailySpend[]> {
  const rows = await selectSpend(tx, await readRange(tx, author.tenantId, query));
  return rows.map(({ date, providerKey, providerName, self, service }) => ({
    provider_key: providerKey ?? '',
    provider_name: providerName ?? nameProvider(providerKey ?? ''),
    date,
    user_llm_spend: toUsd(BigInt(self)),
    company_llm_spend: toUsd(BigInt(service)),
    total_spend: toUsd(BigInt(self) + BigInt(service)),
  }));
}

/** Only own properties count: a provider key may be any lowercase name, such as `constructor`. */
const nameProvider = (key: string) => (Object.hasOwn(providerNames, key) && providerNames[key]) || key;

interface RankedQuery extends UsageQuery {
  readonly limit: number;
  readonly metric: UsageMetric;
}

interface TopApiKeysQuery extends RankedQuery {
  readonly breakdown?: KeyOwnerType | undefined;
}

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
  return rows.map(({ type, id, name, requests, tokens, cost, lastUsed, percentage }) => ({
    entity_id: id,
    entity_name: name ?? `${type === 'team' ? 'Team' : 'User'} #${id}`,
    entity_type: type,
    total_requests: requests,
    total_tokens: tokens,
    cost_usd: toUsd(BigInt(cost)),
    percentage,
    last_used: lastUsed,
  }));
}

/** The model is empty for requests logged without texts. */
export async function listTopModels(
  tx: TenantTransaction,
  author: Principal,
  query: RankedQuery,
): Promise<TopModel[]> {
  const rows = await selectTopModels(tx, await readRange(tx, author.tenantId, query), query);
  return rows.map(({ model, providerKey, requests, tokens, cost, users, percentage }) => ({
    model: model ?? '',
    provider_key: providerKey ?? '',
    total_requests: requests,
    total_tokens: tokens,
    cost_usd: toUsd(BigInt(cost)),
    unique_users: users,
    percentage,
  }));
}

export async function listTopUsers(
  tx: TenantTransaction,
  author: Principal,
  query: RankedQuery,
): Promise<TopUser[]> {
  const rows = await selectTopUsers(tx, await readRange(tx, author.tenantId, query), query);
  return rows.map(({ id, name, requests, tokens, cost, score, lastRequest }) => ({
    user_id: id,
    user_name: name ?? `User #${id}`,
    total_requests: requests,
    total_tokens: tokens,
    cost_usd: toUsd(BigInt(cost)),
    average_deviation_score: score,
    last_request: lastRequest,
  }));
}

export async function listTopTeams(
  tx: TenantTransaction,
  author: Principal,
  query: RankedQuery,
): Promise<TopTeam[]> {
  const rows = await selectTopTeams(tx, await readRange(tx, author.tenantId, query), query);
  return rows.map(({ id, name, requests, tokens, cost, users }) => ({
    team_id: id,
    team_name: name ?? (id === null ? 'No team' : `Team #${id}`),
    total_requests: requests,
    total_tokens: tokens,
    cost_usd: toUsd(BigInt(cost)),
    unique_users: users,
  }));
}

export async function listTopLabels(
  tx: TenantTransaction,
  author: Principal,
  query: RankedQuery & { readonly label_name: string },
): Promise<TopLabel[]> {
  const ranking = { ...query, name: query.label_name };
  const rows = await selectTopLabels(tx, await readRange(tx, author.tenantId, query), ranking);
  return rows.map(({ value, requests, tokens, cost, users, percentage }) => ({
    value,
    total_requests: requests,
    total_tokens: tokens,
    cost_usd: toUsd(BigInt(cost)),
    unique_users: users,
    percentage,
  }));
}

export async function listUsedLabels(
  tx: TenantTransaction,
  author: Principal,
  query: UsageQuery & { readonly limit: number },
): Promise<UsedLabel[]> {
  return selectUsedLabels(tx, await readRange(tx, author.tenantId, query), query.limit);
}
