import { type PaymentIntent, toNanoUsd, toUsd } from '@sluice/contract';
import { and, eq } from 'drizzle-orm';
import { payments } from '#db/schema/payments.ts';
import { changeAs, type SystemDatabase } from '#db/system.ts';
import { ConsoleError } from '#errors/console-error.ts';
import type { OnceContext } from '#http/console-route.ts';
import { type PaymentProvider, PaymentRefusedError } from '#payments/payment-provider.ts';

/**
 * Starts a payment. The row comes first and its id is the provider's idempotency key, so that a repeated call pays once
 * after any failure.
 */
export async function createPaymentIntent(
  system: SystemDatabase,
  provider: PaymentProvider,
  ctx: OnceContext,
  { amount, description }: { amount: number; description: string },
): Promise<PaymentIntent> {
  const { tenantId, userId } = ctx.principal;
  const { id } = await changeAs(system, ctx.actor, (tx) =>
    ctx.once(tx, async () => {
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
      if (!row) throw new Error('a payment was not kept');
      return row;
    }),
  );
  const [payment] = await system
    .select()
    .from(payments)
    .where(and(eq(payments.id, id), eq(payments.tenantId, tenantId)));
  if (!payment) throw new Error('the payment that was just begun is gone');
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
