import type { PaymentMethod } from '@sluice/contract';
import { refusePayment } from '#console/payments/refuse-payment.ts';
import type { SystemDatabase } from '#db/system.ts';
import { notFound } from '#errors/console-error.ts';
import type { SignedInContext } from '#http/console-route.ts';
import { applySubscription } from '#payments/apply-subscription.ts';
import type { ProviderPaymentMethod } from '#payments/card-provider.ts';
import { findCustomer, noteCards } from '#payments/find-customer.ts';
import type { PaymentProvider } from '#payments/payment-provider.ts';

/** Dependencies of card changes. */
export interface CardDeps {
  readonly system: SystemDatabase;
  readonly provider: PaymentProvider;
}

/**
 * Changes a card of the caller's tenant at the payment provider and updates audit log and subscription.
 * @throws ConsoleError 404 if the tenant does not have the card, 402 if the provider rejects the change.
 */
export async function changeCard<Result>(
  deps: CardDeps,
  ctx: SignedInContext,
  paymentMethodId: string,
  change: (customerId: string, cards: readonly ProviderPaymentMethod[]) => Promise<Result>,
): Promise<Result> {
  const { system, provider } = deps;
  const customerId = await findCustomer(system, provider, ctx.principal.tenantId);
  if (customerId === null) throw notFound('Payment method');
  const cards = await provider.listPaymentMethods(customerId);
  if (!cards.some(({ id }) => id === paymentMethodId)) throw notFound('Payment method');
  const result = await change(customerId, cards).catch(refusePayment);
  await followCards(deps, ctx, customerId);
  return result;
}

/** Updates the subscription, since a tenant's status depends on whether it has a card. */
export async function followCards(
  { system, provider }: CardDeps,
  { principal: { tenantId }, actor }: SignedInContext,
  customerId: string,
): Promise<void> {
  await noteCards(system, provider, { tenantId, actor }, customerId);
  await applySubscription(system, provider, tenantId, actor).catch(refusePayment);
}

export function toPaymentMethod(method: ProviderPaymentMethod): PaymentMethod {
  const { id, brand, last4, expMonth, expYear, isDefault } = method;
  return { id, brand, last4, exp_month: expMonth, exp_year: expYear, is_default: isDefault };
}
