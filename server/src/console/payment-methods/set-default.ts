import type { PaymentMethod } from '@sluice/contract';
import { notFound } from '#errors/console-error.ts';
import type { SignedInContext } from '#http/console-route.ts';
import { type CardDeps, changeCard, toPaymentMethod } from './change.ts';

/** Sets the card that pays renewals. */
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
