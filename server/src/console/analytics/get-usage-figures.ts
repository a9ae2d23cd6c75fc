import { notClassified, type Today, toUsd, type UsageFigures } from '@sluice/contract';
import type { TenantTransaction } from '#db/tenant.ts';
import type { Principal } from '#domain/principal.ts';
import { listDays, readRange, type UsageQuery } from './range.ts';
import {
  countOpenAppeals,
  countUsersNearLimit,
  selectProviderUse,
  selectRefusals,
  selectUsage,
} from './store.ts';

export async function getUsageFigures(
  tx: TenantTransaction,
  author: Principal,
  query: UsageQuery,
): Promise<UsageFigures> {
  const range = await readRange(tx, author.tenantId, query);
  const rows = await selectUsage(tx, range);
  const { firstKeptDay: keptSince } = range;
  const days = listDays(range).length;
  const intents = new Map<string, number>();
  for (const { intent, requests } of rows) {
    const name = intent ?? notClassified;
    intents.set(name, (intents.get(name) ?? 0) + requests);
  }
  const requests = rows.reduce((sum, row) => sum + row.requests, 0);
  return {
    total_requests: requests,
    avg_requests_per_day: requests / days,
    total_tokens_used: rows.reduce((sum, row) => sum + row.tokens, 0),
    active_users: new Set(rows.flatMap(({ userId }) => userId ?? [])).size,
    intent_distribution: Object.fromEntries([...intents].toSorted(([, one], [, other]) => other - one)),
    kept_since: keptSince,
  };
}

/** Returns the figures of the current day in the tenant's time zone, by the database clock. */
export async function getToday(tx: TenantTransaction, author: Principal): Promise<Today> {
  const range = await readRange(tx, author.tenantId, { days: 1 });
  const used = await selectProviderUse(tx, range);
  const sum = (read: (row: (typeof used)[number]) => number) =>
    used.reduce((total, row) => total + read(row), 0);
  return {
    date: range.firstDay,
    total_requests: sum(({ requests }) => requests),
    failed_requests: sum(({ errors }) => errors),
    refused_requests: (await selectRefusals(tx, range)).map(({ reason, count }) => ({ reason, count })),
    users_near_limit: await countUsersNearLimit(tx, range),
    open_appeals: await countOpenAppeals(tx, author.tenantId),
    failing_providers: used.flatMap(({ id, name, requests, errors }) =>
      id === null || errors === 0
        ? []
        : [{ llm_provider_id: id, provider_instance_name: name ?? `Provider #${id}`, requests, errors }],
    ),
    total_spend: toUsd(used.reduce((total, { cost }) => total + BigInt(cost), 0n)),
  };
}
