import type { paymentsRoutes, SimulatedPayment } from '@sluice/contract';
import type { SystemDatabase } from '#db/system.ts';
import { notFound } from '#errors/console-error.ts';
import type { Handlers } from '#http/console-route.ts';
import type { Payments } from '#payments/find-provider.ts';
import { confirmPayment } from './confirm.ts';
import { createPaymentIntent } from './create-intent.ts';
import { requireProvider } from './require-provider.ts';

export function createPaymentsHandlers({
  system,
  payments: { provider, simulated },
}: {
  readonly system: SystemDatabase;
  readonly payments: Payments;
}): Handlers<typeof paymentsRoutes> {
  return {
    getPaymentSetup: async () => ({
      provider: provider?.name ?? null,
      publishable_key: provider?.publishableKey ?? null,
    }),
    createPaymentIntent: async (ctx, { query }) =>
      createPaymentIntent(system, requireProvider(provider), ctx, query),
    confirmPayment: async (ctx, { query }) =>
      confirmPayment(system, requireProvider(provider), ctx, query.payment_intent_id),
    paySimulated: async (_ctx, { body }) =>
      requireIntent(await requireProvider(simulated).pay(body.client_secret, body.payment_method)),
    authenticateSimulated: async (_ctx, { body }) =>
      requireIntent(await requireProvider(simulated).authenticate(body.client_secret, body.is_approved)),
  };
}

function requireIntent(payment: SimulatedPayment | null): SimulatedPayment {
  if (!payment) throw notFound('Payment');
  return payment;
}
