import { randomUUID } from 'node:crypto';
import type { PaymentMethod } from '@sluice/contract';
import { refusePayment } from '#console/payments/refuse-payment.ts';
import type { OnceContext } from '#http/console-route.ts';
import { requireCustomer } from '#payments/find-customer.ts';
import { type CardDeps, followCards, toPaymentMethod } from './change.ts';

/**
 * Keeps a card at the provider. What is kept under the Idempotency-Key is the provider's own: who repeats the call,
 * after whatever failed, adds one card.
 * @throws ConsoleError 402 when the card is declined
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
