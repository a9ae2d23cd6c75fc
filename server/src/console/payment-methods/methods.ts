import { randomUUID } from 'node:crypto';
import type { PaymentMethod } from '@sluice/contract';
import { refusePayment } from '#console/payments/require-provider.ts';
import type { SystemDatabase } from '#db/system.ts';
import { notFound } from '#errors/console-error.ts';
import type { IdempotentContext, SignedInContext } from '#http/console-route.ts';
import { applySubscription } from '#payments/apply-subscription.ts';
import { findCustomer, noteCards, requireCustomer } from '#payments/find-customer.ts';
import {
  type PaymentProvider,
  PaymentRefusedError,
  type ProviderPaymentMethod,
} from '#payments/payment-provider.ts';

interface CardDeps {
  readonly system: SystemDatabase;
  readonly provider: PaymentProvider;
}

/** @throws ConsoleError 404 if the tenant does not have the card, 402 if the provider rejects the change */
async function changeCard<Result>(
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

/**
 * Records the cards in the audit log and updates the subscription, because the tenant's status depends on whether it
 * has a card.
 */
async function followCards(
  { system, provider }: CardDeps,
  { principal: { tenantId }, actor }: SignedInContext,
  customerId: string,
): Promise<void> {
  await noteCards(system, provider, { tenantId, actor }, customerId);
  await applySubscription(system, provider, tenantId, actor).catch(refusePayment);
}

function toPaymentMethod(method: ProviderPaymentMethod): PaymentMethod {
  const { id, brand, last4, expMonth, expYear, isDefault } = method;
  return { id, brand, last4, exp_month: expMonth, exp_year: expYear, is_default: isDefault };
}

/**
 * Stores a card at the payment provider. Calls with the same Idempotency-Key use the same key for the provider call,
 * so that a retry after a failure does not add a second card.
 * @throws ConsoleError 402 if the card is declined
 */
export async function addPaymentMethod(
  deps: CardDeps,
  ctx: IdempotentContext,
  paymentMethodId: string,
): Promise<PaymentMethod> {
  const { system, provider } = deps;
  const { principal, actor, runIdempotent } = ctx;
  const { key } = await system.transaction((tx) => runIdempotent(tx, async () => ({ key: randomUUID() })));
  const { tenantId } = principal;
  const customerId = await requireCustomer(system, provider, { tenantId, actor });
  const method = await provider
    .attachPaymentMethod(customerId, paymentMethodId, `sluice-card-${key}`)
    .catch(refusePayment);
  await followCards(deps, ctx, customerId);
  return toPaymentMethod(method);
}

export async function listPaymentMethods(
  { system, provider }: CardDeps,
  { principal }: SignedInContext,
): Promise<PaymentMethod[]> {
  const customerId = await findCustomer(system, provider, principal.tenantId);
  if (customerId === null) return [];
  return (await provider.listPaymentMethods(customerId)).map(toPaymentMethod);
}

export async function setDefaultPaymentMethod(
  deps: CardDeps,
  ctx: SignedInContext,
  id: string,
): Promise<PaymentMethod> {
  return changeCard(deps, ctx, id, async (customerId, cards) => {
    await deps.provider.setDefaultPaymentMethod(customerId, id);
    const card = cards.find((each) => each.id === id);
    if (!card) throw notFound('Payment method');
    return toPaymentMethod({ ...card, isDefault: true });
  });
}

/** If the card was the default, the newest remaining card becomes the default. */
export async function removePaymentMethod(deps: CardDeps, ctx: SignedInContext, id: string): Promise<void> {
  const { provider } = deps;
  await changeCard(deps, ctx, id, async (customerId) => {
    await provider.detachPaymentMethod(id);
    await keepDefault(provider, customerId);
  });
}

const triesMax = 5;

/**
 * Makes the newest card the default if there is no default. On failure, reads the cards again, because others may be
 * removed concurrently.
 */
async function keepDefault(provider: CardDeps['provider'], customerId: string): Promise<void> {
  for (let tries = 1; ; tries++) {
    const cards = await provider.listPaymentMethods(customerId);
    const [newest] = cards;
    if (!newest || cards.some(({ isDefault }) => isDefault)) return;
    try {
      await provider.setDefaultPaymentMethod(customerId, newest.id);
    } catch (error) {
      if (!(error instanceof PaymentRefusedError) || tries === triesMax) throw error;
    }
  }
}
