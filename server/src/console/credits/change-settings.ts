import { type CreditSettings, toNanoUsd } from '@sluice/contract';
import { notFound } from '#errors/console-error.ts';
import type { SignedInContext } from '#http/console-route.ts';
import { changeCreditSettings, findCreditSettings } from './store.ts';
import { toCreditSettings } from './to-resources.ts';

/** Sets the threshold in dollars. */
export function setLowBalanceThreshold(ctx: SignedInContext, threshold: number): Promise<CreditSettings> {
  return changeSettings(ctx, { lowBalanceThreshold: toNanoUsd(threshold) });
}

export function setServiceSpending(ctx: SignedInContext, isAllowed: boolean): Promise<CreditSettings> {
  return changeSettings(ctx, { isServiceSpendingAllowed: isAllowed });
}

function changeSettings(
  { principal, inTenant }: SignedInContext,
  columns: Parameters<typeof changeCreditSettings>[2],
): Promise<CreditSettings> {
  return inTenant(async (tx) => {
    await changeCreditSettings(tx, principal.tenantId, columns);
    const settings = await findCreditSettings(tx, principal.tenantId);
    if (!settings) throw notFound('Tenant');
    return toCreditSettings(settings);
  });
}
