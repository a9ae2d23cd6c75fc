import type { paymentsRoutes } from '@sluice/contract';
import { createAddressThrottle } from '#console/auth/attempt-throttle.ts';
import type { SystemDatabase } from '#db/system.ts';
import { notFound } from '#errors/console-error.ts';
import type { Handlers } from '#http/console-route.ts';
import { outside } from '#http/verbs.ts';
import type { Payments } from '#payments/find-provider.ts';
import type { Clock } from '#platform/clock.ts';
import { confirmPayment, createPaymentIntent, createSetupIntent } from './intents.ts';
import { requireProvider } from './require-provider.ts';

export function createPaymentsHandlers({
  system,
  payments: { provider, simulated },
  isSignupOpen,
  clock,
}: {
  readonly system: SystemDatabase;
  readonly payments: Payments;
  readonly isSignupOpen: boolean;
  readonly clock: Clock;
}): Handlers<typeof paymentsRoutes> {
  const setups = createAddressThrottle(system, clock, { subject: 'setup-intent', noun: 'card setups' });
  return {
    getPaymentSetup: outside('needs no transaction', async () => ({
      provider: provider?.name ?? null,
      publishable_key: provider?.publishableKey ?? null,
    })),
    createPaymentIntent: outside('asks a provider', async (ctx, { query }) =>
      createPaymentIntent(system, requireProvider(provider), ctx, query),
    ),
    confirmPayment: outside('asks a provider', async (ctx, { query }) =>
      confirmPayment(system, requireProvider(provider), ctx, query.payment_intent_id),
    ),
    paySimulated: outside('asks a provider', async (_ctx, { body }) =>
      requireIntent(await requireProvider(simulated).pay(body.client_secret, body.payment_method)),
    ),
    authenticateSimulated: outside('asks a provider', async (_ctx, { body }) =>
      requireIntent(await requireProvider(simulated).authenticate(body.client_secret, body.is_approved)),
    ),
    createSetupIntent: outside('asks a provider', async (ctx) =>
      createSetupIntent(requireProvider(provider), { isSignupOpen, setups }, ctx),
    ),
    confirmSimulatedSetup: outside('asks a provider', async (_ctx, { body }) =>
      requireIntent(await requireProvider(simulated).confirmSetup(body.client_secret, body.payment_method)),
    ),
    authenticateSimulatedSetup: outside('asks a provider', async (_ctx, { body }) =>
      requireIntent(await requireProvider(simulated).authenticateSetup(body.client_secret, body.is_approved)),
    ),
  };
}

function requireIntent<Intent>(intent: Intent | null): Intent {
  if (!intent) throw notFound('Payment');
  return intent;
}
