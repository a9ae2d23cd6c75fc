import { type PaymentConfirmation, toUsd } from '@sluice/contract';
import { and, eq, sum } from 'drizzle-orm';
import { ledgerEntries } from '#db/schema/ledger-entries.ts';
import { payments } from '#db/schema/payments.ts';
import type { SystemDatabase } from '#db/system.ts';
import { ConsoleError, notFound } from '#errors/console-error.ts';
import type { SignedInContext } from '#http/console-route.ts';
import { readAccounts } from '#ledger/read.ts';
import { applyIntent } from '#payments/apply-intent.ts';
import type { PaymentProvider } from '#payments/payment-provider.ts';

/** Books a payment that succeeded at the payment provider; idempotent. */
export async function confirmPayment(
  system: SystemDatabase,
  provider: PaymentProvider,
  { principal, actor }: SignedInContext,
  intentId: string,
): Promise<PaymentConfirmation> {
  const { tenantId } = principal;
  const [own] = await system
    .select({ id: payments.id })
    .from(payments)
    .where(
      and(
        eq(payments.provider, provider.name),
        eq(payments.intentId, intentId),
        eq(payments.tenantId, tenantId),
      ),
    );
  if (!own) throw notFound('Payment');
  const payment = await applyIntent(system, provider, intentId, actor);
  if (payment?.status !== 'succeeded')
    throw new ConsoleError(402, payment?.failure ?? 'Payment was not successful');
  const [added] = await system
    .select({ total: sum(ledgerEntries.amount) })
    .from(ledgerEntries)
    .where(eq(ledgerEntries.source, `${provider.name}/${intentId}`));
  const [account] = await readAccounts(system, tenantId);
  return { amount_added: toUsd(BigInt(added?.total ?? 0)), current_balance: toUsd(account?.balance ?? 0n) };
}
