import type { SystemDatabase } from '#db/system.ts';
import type { PaymentProvider } from './payment-provider.ts';
import { createSimulatedProvider, type SimulatedProvider } from './simulated-provider.ts';
import { createStripeProvider, type StripeSettings } from './stripe-provider.ts';

export interface Payments {
  /** Payment provider; `null` if payments are not configured. */
  readonly provider: PaymentProvider | null;
  /** Simulated provider; `null` if the provider is another one. */
  readonly simulated: SimulatedProvider | null;
}

/** Returns Stripe if it is configured, the simulated provider in a demo, and `null` otherwise. */
export function findPaymentProvider(
  database: SystemDatabase,
  { stripe, isDemo }: { readonly stripe: StripeSettings | null; readonly isDemo: boolean },
): Payments {
  if (stripe) return { provider: createStripeProvider(stripe), simulated: null };
  const simulated = isDemo ? createSimulatedProvider(database) : null;
  return { provider: simulated, simulated };
}
