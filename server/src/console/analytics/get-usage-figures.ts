import { notClassified, type UsageFigures } from '@sluice/contract';
import type { SignedInContext } from '#http/console-route.ts';
import { listDays, readRange, type UsageQuery } from './range.ts';
import { selectUsage } from './store.ts';

export async function getUsageFigures(
  { principal, inTenant }: SignedInContext,
  query: UsageQuery,
): Promise<UsageFigures> {
  const { days, keptSince, rows } = await inTenant(async (tx) => {
    const range = await readRange(tx, principal.tenantId, query);
    const rows = await selectUsage(tx, range);
    return { days: listDays(range).length, keptSince: range.firstKeptDay, rows };
  });
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
