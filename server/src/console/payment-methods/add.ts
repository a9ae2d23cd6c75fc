import { randomUUID } from 'node:crypto';
import type { PaymentMethod } from '@sluice/contract';
import { refusePayment } from '#console/payments/refuse-payment.ts';
import type { OnceContext } from '#http/console-route.ts';
import { requireCustomer } from '#payments/find-customer.ts';
import { type CardDeps, followCards, toPaymentMethod } from './change.ts';

/**
 * Stores a card at the payment provider. The Idempotency-Key stores only a key for the provider call, so that a
 * repeated request adds one card after any failure.
 * @throws ConsoleError 402 if the card is declined.
 */
export async function addPaymentMethod(
  deps: CardDeps,
  ctx: OnceContext,
  paymentMethodId: string,
): Promise<PaymentMethod> {
  const { system, provider } = deps;
  const { principal, actor, once } = ctx;
  const { key } = await system.transaction((tx) => once(tx, async () => ({ key: randomUUID() })));
  const { tenantId } = principal;
  const customerId = await requireCustomer(system, provider, { tenantId, actor });
  const method = await provider
    .attachPaymentMethod(customerId, paymentMethodId, `sluice-card-${key}`)
    .catch(refusePayment);
  await followCards(deps, ctx, customerId);
  return toPaymentMethod(method);
}
