import { type CreditSettings, toNanoUsd } from '@sluice/contract';
import type { Actor } from '#db/actor.ts';
import { changeAs, type SystemDatabase } from '#db/system.ts';
import type { TenantTransaction } from '#db/tenant.ts';
import { notFound } from '#errors/console-error.ts';
import type { SignedInContext } from '#http/console-route.ts';
import { toCreditSettings } from './read.ts';
import { changeCreditSettings, changeMarkup, findCreditSettings, findMarkup } from './store.ts';

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

/** Returns the markup in percent on the cost of service-managed instances, which applies to all tenants. */
export function readMarkup(tx: TenantTransaction): Promise<number> {
  return findMarkup(tx);
}

export type SetMarkup = (actor: Actor, percent: number) => Promise<void>;

export function createSetMarkup(system: SystemDatabase): SetMarkup {
  return (actor, percent) => changeAs(system, actor, (tx) => changeMarkup(tx, percent));
}
