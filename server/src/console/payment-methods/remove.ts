import type { SignedInContext } from '#http/console-route.ts';
import { PaymentRefusedError } from '#payments/payment-provider.ts';
import { type CardDeps, changeCard } from './change.ts';

/** Forgets a card; renewals are taken from the newest of the others then. */
export async function removePaymentMethod(deps: CardDeps, ctx: SignedInContext, id: string): Promise<void> {
  const { provider } = deps;
  await changeCard(deps, ctx, id, async (customerId) => {
    await provider.detachPaymentMethod(id);
    await keepDefault(provider, customerId);
  });
}

const triesMax = 5;

/** Makes the newest card the default where none is; the cards are read again while others are removed. */
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
