import type { SystemDatabase } from '#db/system.ts';
import type { PaymentProvider } from './payment-provider.ts';
import { createSimulatedProvider, type SimulatedProvider } from './simulated-provider.ts';
import { createStripeProvider, type StripeSettings } from './stripe-provider.ts';

export interface Payments {
  /** `null` = payments are not set up. */
  readonly provider: PaymentProvider | null;
  /** The same, where it is the one that moves no money. */
  readonly simulated: SimulatedProvider | null;
}

/** Stripe where it is configured, else the simulated provider of a demonstration, else none. */
export function findPaymentProvider(
  database: SystemDatabase,
  { stripe, isDemo }: { readonly stripe: StripeSettings | null; readonly isDemo: boolean },
): Payments {
  if (stripe) return { provider: createStripeProvider(stripe), simulated: null };
  const simulated = isDemo ? createSimulatedProvider(database) : null;
  return { provider: simulated, simulated };
}
