import { type CreditSettings, toNanoUsd } from '@sluice/contract';
import type { Actor } from '#db/actor.ts';
import { changeAs, type SystemDatabase } from '#db/system.ts';
import type { TenantTransaction } from '#db/tenant.ts';
import type { Author } from '#domain/principal.ts';
import { notFound } from '#errors/console-error.ts';
import { toCreditSettings } from './read.ts';
import { changeCreditSettings, changeMarkup, findCreditSettings, findMarkup } from './store.ts';

export function setLowBalanceThreshold(
  tx: TenantTransaction,
  author: Author,
  threshold: number,
): Promise<CreditSettings> {
  return changeSettings(tx, author, { lowBalanceThreshold: toNanoUsd(threshold) });
}

export function setServiceSpending(
  tx: TenantTransaction,
  author: Author,
  isAllowed: boolean,
): Promise<CreditSettings> {
  return changeSettings(tx, author, { isServiceSpendingAllowed: isAllowed });
}

async function changeSettings(
  tx: TenantTransaction,
  author: Author,
  columns: Parameters<typeof changeCreditSettings>[2],
): Promise<CreditSettings> {
  await changeCreditSettings(tx, author.tenantId, columns);
  const settings = await findCreditSettings(tx, author.tenantId);
  if (!settings) throw notFound('Tenant');
  return toCreditSettings(settings);
}

/** The markup is the same for all tenants. */
export function readMarkup(tx: TenantTransaction): Promise<number> {
  return findMarkup(tx);
}

export type SetMarkup = (actor: Actor, percent: number) => Promise<void>;

export function createSetMarkup(system: SystemDatabase): SetMarkup {
  return (actor, percent) => changeAs(system, actor, (tx) => changeMarkup(tx, percent));
}
