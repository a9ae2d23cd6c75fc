import { type ProviderUsage, toUsd, type UsageSummary } from '@sluice/contract';
import type { SignedInContext } from '#http/console-route.ts';
import { selectUsage } from './store.ts';

/** Sums the tenant's usage of the last days by provider; requests that reached no provider have an empty key. */
export async function summarizeUsageByProvider(
  { principal, inTenant }: SignedInContext,
  days: number,
): Promise<ProviderUsage[]> {
  const rows = await inTenant((tx) => selectUsage(tx, principal.tenantId, days));
  return rows.map(({ providerKey, providerName, requests, tokens, self, service }) => ({
    provider_key: providerKey ?? '',
    provider_name: providerName ?? providerKey ?? '',
    total_requests: Number(requests),
    total_tokens: Number(tokens),
    user_llm_spend: toUsd(BigInt(self)),
    company_llm_spend: toUsd(BigInt(service)),
    total_spend: toUsd(BigInt(self) + BigInt(service)),
  }));
}

export async function summarizeUsage(
  { principal, inTenant }: SignedInContext,
  days: number,
): Promise<UsageSummary> {
  const rows = await inTenant((tx) => selectUsage(tx, principal.tenantId, days));
  const sum = (read: (row: (typeof rows)[number]) => string) =>
    rows.reduce((total, row) => total + BigInt(read(row)), 0n);
  const self = sum((row) => row.self);
  const service = sum((row) => row.service);
  return {
    days,
    total_requests: Number(sum(({ requests }) => requests)),
    total_tokens: Number(sum(({ tokens }) => tokens)),
    user_llm_spend: toUsd(self),
    company_llm_spend: toUsd(service),
    total_spend: toUsd(self + service),
  };
}
