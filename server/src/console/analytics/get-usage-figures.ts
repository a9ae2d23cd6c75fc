import { notClassified, type Today, toUsd, type UsageFigures } from '@sluice/contract';
import type { LogTransaction, TenantTransaction } from '#db/tenant.ts';
import type { Principal } from '#domain/principal.ts';
import { listDays, readRange, type UsageQuery } from './range.ts';
import {
  countOpenAppeals,
  selectExpiringKeys,
  selectFirstUsedDay,
  selectProviderUse,
  selectUsage,
} from './store.ts';

export async function getUsageFigures(
  tx: TenantTransaction,
  author: Principal,
  query: UsageQuery,
): Promise<UsageFigures> {
  const range = await readRange(tx, author.tenantId, query);
  const rows = await selectUsage(tx, range);
  const intents = [...Map.groupBy(rows, ({ intent }) => intent ?? notClassified)]
    .map(([intent, ofIntent]) => ({ intent, ...sumUsage(ofIntent) }))
    .toSorted((one, other) => other.requests - one.requests);
  const total = sumUsage(rows);
  return {
    total_requests: total.requests,
    avg_requests_per_day: total.requests / listDays(range).length,
    total_tokens_used: total.tokens,
    cost_usd: total.cost_usd,
    active_users: new Set(rows.flatMap(({ userId }) => userId ?? [])).size,
    intent_distribution: Object.fromEntries(intents.map(({ intent, requests }) => [intent, requests])),
    intents,
    kept_since: range.firstKeptDay,
    used_since: await selectFirstUsedDay(tx, range),
  };
}

interface Used {
  readonly requests: number;
  readonly tokens: number;
  /** Cost in nano-dollars. */
  readonly cost: string;
}

const sumUsage = (rows: readonly Used[]) => ({
  requests: rows.reduce((sum, row) => sum + row.requests, 0),
  tokens: rows.reduce((sum, row) => sum + row.tokens, 0),
  cost_usd: toUsd(rows.reduce((sum, row) => sum + BigInt(row.cost), 0n)),
});

/** Returns the number of users near a limit. Injected, because the user and budget folders import this one. */
export type CountUsersNearLimit = (tx: TenantTransaction, tenantId: number) => Promise<number>;

/** Returns the figures of the current day in the tenant's time zone, by the database clock. */
export async function getToday(
  tx: LogTransaction,
  author: Principal,
  countUsersNearLimit: CountUsersNearLimit,
): Promise<Today> {
  const range = await readRange(tx, author.tenantId, { days: 1 });
  const used = await selectProviderUse(tx, range);
  const expiring = await selectExpiringKeys(tx, author.tenantId);
  const sum = (read: (row: (typeof used)[number]) => number) =>
    used.reduce((total, row) => total + read(row), 0);
  return {
    date: range.firstDay,
    total_requests: sum(({ requests }) => requests),
    failed_requests: sum(({ errors }) => errors),
    refused_requests: (await tx.requestLog.countRefusals(range)).map(({ reason, count }) => ({
      reason,
      count,
    })),
    users_near_limit: await countUsersNearLimit(tx, author.tenantId),
    open_appeals: await countOpenAppeals(tx, author.tenantId),
    failing_providers: used.flatMap(({ id, name, requests, errors }) =>
      id === null || errors === 0
        ? []
        : [{ llm_provider_id: id, provider_instance_name: name ?? `Provider #${id}`, requests, errors }],
    ),
    total_spend: toUsd(used.reduce((total, { cost }) => total + BigInt(cost), 0n)),
    expiring_keys_count: expiring[0]?.total ?? 0,
    expiring_keys: expiring.map(({ userId, userName, keyName, expiresAt }) => ({
      user_id: userId,
      user_name: userName,
      key_name: keyName,
      expires_at: expiresAt,
    })),
  };
}
