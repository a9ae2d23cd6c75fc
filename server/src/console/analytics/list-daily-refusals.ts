import type { DailyRefusals } from '@sluice/contract';
import type { SignedInContext } from '#http/console-route.ts';
import { readRange, type UsageQuery } from './range.ts';
import { selectRefusals } from './refusals-store.ts';

export function listDailyRefusals(
  { principal, inTenant }: SignedInContext,
  query: UsageQuery,
): Promise<DailyRefusals[]> {
  return inTenant(async (tx) => selectRefusals(tx, await readRange(tx, principal.tenantId, query)));
}
