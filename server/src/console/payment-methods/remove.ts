import type { SignedInContext } from '#http/console-route.ts';
import { PaymentRefusedError } from '#payments/payment-provider.ts';
import { type CardDeps, changeCard } from './change.ts';

/** Removes a card; the newest remaining one then pays renewals. */
export async function removePaymentMethod(deps: CardDeps, ctx: SignedInContext, id: string): Promise<void> {
  const { provider } = deps;
  await changeCard(deps, ctx, id, async (customerId) => {
    await provider.detachPaymentMethod(id);
    await keepDefault(provider, customerId);
  });
}

const triesMax = 5;

/**
 * Makes the newest card the default if there is no default; rereads the cards, since others may be removed
 * concurrently.
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
