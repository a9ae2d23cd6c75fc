import {
  type PaymentConfirmation,
  type PaymentIntent,
  type SetupIntent,
  toNanoUsd,
  toUsd,
} from '@sluice/contract';
import { and, eq, sum } from 'drizzle-orm';
import type { AddressThrottle } from '#console/auth/attempt-throttle.ts';
import { ledgerEntries, payments } from '#db/schema/payments.ts';
import { changeAs, type SystemDatabase } from '#db/system.ts';
import { ConsoleError, notFound } from '#errors/console-error.ts';
import type { IdempotentContext, RequestContext, SignedInContext } from '#http/console-route.ts';
import { readAccounts } from '#ledger/read.ts';
import { applyIntent } from '#payments/apply-intent.ts';
import { type PaymentProvider, PaymentRefusedError } from '#payments/payment-provider.ts';

/**
 * The payment's row is stored first, and the row id is part of the provider's idempotency key, so that a retry after
 * a failure does not charge twice.
 */
export async function createPaymentIntent(
  system: SystemDatabase,
  provider: PaymentProvider,
  ctx: IdempotentContext,
  { amount, description }: { amount: number; description: string },
): Promise<PaymentIntent> {
  const { tenantId, userId } = ctx.principal;
  const { id } = await changeAs(system, ctx.actor, (tx) =>
    ctx.runIdempotent(tx, async () => {
      const [row] = await tx
        .insert(payments)
        .values({
          tenantId,
          provider: provider.name,
          amountNanoUsd: toNanoUsd(amount),
          description,
          createdBy: userId,
        })
        .returning({ id: payments.id });
      if (!row) throw new Error('the payment was not stored');
      return row;
    }),
  );
  const [payment] = await system
    .select()
    .from(payments)
    .where(and(eq(payments.id, id), eq(payments.tenantId, tenantId)));
  if (!payment) throw new Error('the new payment was not found');
  const intent = await provider
    .createIntent({
      amountCents: Math.round(toUsd(payment.amountNanoUsd) * 100),
      description: payment.description,
      idempotencyKey: `sluice-payment-${payment.id}-${payment.createdAt.getTime()}`,
    })
    .catch((error: unknown) => {
      throw error instanceof PaymentRefusedError ? new ConsoleError(422, error.message) : error;
    });
  await system.update(payments).set({ intentId: intent.id }).where(eq(payments.id, id));
  return {
    client_secret: intent.clientSecret,
    payment_intent_id: intent.id,
    amount: toUsd(payment.amountNanoUsd),
  };
}

export async function createSetupIntent(
  provider: PaymentProvider,
  { isSignupOpen, setups }: { readonly isSignupOpen: boolean; readonly setups: AddressThrottle },
  ctx: RequestContext,
): Promise<SetupIntent> {
  if (!(await ctx.findCaller())) {
    if (!isSignupOpen) throw new ConsoleError(403, 'Signup is closed');
    await setups.count(ctx.address);
  }
  const { id, clientSecret } = await provider.createSetupIntent({
    idempotencyKey: `sluice-setup-${ctx.requestId}`,
  });
  return { client_secret: clientSecret, setup_intent_id: id };
}

/** Books a payment that succeeded at the payment provider. Idempotent. */
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
