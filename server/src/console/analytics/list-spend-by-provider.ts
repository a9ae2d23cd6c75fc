import { type DailySpend, providerNames, toUsd } from '@sluice/contract';
import type { SignedInContext } from '#http/console-route.ts';
import { readRange, type UsageQuery } from './range.ts';
import { selectSpend } from './store.ts';

export async function listSpendByProvider(
  { principal, inTenant }: SignedInContext,
  query: UsageQuery,
): Promise<DailySpend[]> {
  const rows = await inTenant(async (tx) => selectSpend(tx, await readRange(tx, principal.tenantId, query)));
  return rows.map(({ date, providerKey, providerName, self, service }) => ({
    provider_key: providerKey ?? '',
    provider_name: providerName ?? providerNames[providerKey ?? ''] ?? providerKey ?? '',
    date,
    user_llm_spend: toUsd(BigInt(self)),
    company_llm_spend: toUsd(BigInt(service)),
    total_spend: toUsd(BigInt(self) + BigInt(service)),
  }));
}
