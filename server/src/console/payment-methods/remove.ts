import type { SignedInContext } from '#http/console-route.ts';
import { type CardDeps, changeCard } from './change.ts';

/** Forgets a card; renewals are taken from the newest of the others then. */
export async function removePaymentMethod(deps: CardDeps, ctx: SignedInContext, id: string): Promise<void> {
  const { provider } = deps;
  await changeCard(deps, ctx, id, async (customerId, cards) => {
    await provider.detachPaymentMethod(id);
    const next = cards.find((card) => card.id !== id);
    const wasDefault = cards.some((card) => card.id === id && card.isDefault);
    if (wasDefault && next) await provider.setDefaultPaymentMethod(customerId, next.id);
  });
}
