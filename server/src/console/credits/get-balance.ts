import type { CreditBalance } from '@sluice/contract';
import type { TenantTransaction } from '#db/tenant.ts';
import { notFound } from '#errors/console-error.ts';
import type { SignedInContext } from '#http/console-route.ts';
import { readAccounts } from '#ledger/read.ts';
import { findCreditSettings } from './store.ts';
import { toCreditBalance } from './to-resources.ts';

export function getBalance({ principal, inTenant }: SignedInContext): Promise<CreditBalance> {
  return inTenant((tx) => readBalance(tx, principal.tenantId));
}

async function readBalance(tx: TenantTransaction, tenantId: number): Promise<CreditBalance> {
  const settings = await findCreditSettings(tx, tenantId);
  const [account] = await readAccounts(tx, tenantId);
  if (!settings || !account) throw notFound('Tenant');
  return toCreditBalance(account, settings);
}

export async function checkCredits(ctx: SignedInContext, amount: number) {
  const { current_balance } = await getBalance(ctx);
  return { has_sufficient_credits: current_balance >= amount, current_balance, required_amount: amount };
}
