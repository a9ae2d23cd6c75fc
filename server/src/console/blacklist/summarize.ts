import type { blacklistSummary } from '@sluice/contract';
import type { z } from 'zod';
import type { SignedInContext } from '#http/console-route.ts';
import { selectEnabledModels, selectEntries } from './store.ts';

export async function getBlacklistSummary({
  principal,
  inTenant,
}: SignedInContext): Promise<{ summary: z.input<typeof blacklistSummary> }> {
  const rows = await inTenant((tx) => selectEntries(tx, principal.tenantId));
  const complete = rows.filter(({ modelPattern }) => modelPattern === null);
  const partial = rows.flatMap(({ providerKey, modelPattern }) =>
    modelPattern === null ? [] : [`${providerKey}: ${modelPattern}`],
  );
  return {
    summary: {
      total_entries: rows.length,
      providers_affected: listKeys(rows),
      complete_provider_blocks: listKeys(complete),
      model_specific_blocks: partial.toSorted(),
    },
  };
}

/** Lists each key once, ignoring case. */
function listKeys(rows: readonly { providerKey: string }[]): string[] {
  return [...new Set(rows.map(({ providerKey }) => providerKey.toLowerCase()))].toSorted();
}

export async function listEnabledModels({ principal, inTenant }: SignedInContext) {
  const rows = await inTenant((tx) => selectEnabledModels(tx, principal.tenantId));
  return rows.map(({ providerKey, enabledModels }) => ({
    provider_key: providerKey,
    enabled_models: enabledModels,
  }));
}
