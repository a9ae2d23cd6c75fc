import type { webhooksRoutes } from '@sluice/contract';
import { createAcrossTenants } from '#console/across-tenants.ts';
import { requireProvider } from '#console/payments/require-provider.ts';
import type { SystemDatabase } from '#db/system.ts';
import type { Handlers } from '#http/console-route.ts';
import { outside } from '#http/verbs.ts';
import type { PaymentProvider } from '#payments/payment-provider.ts';
import { getEvent, getStats, listEvents } from './read.ts';
import { receiveEvent, retryFailedEvents } from './receive.ts';

export function createWebhooksHandlers({
  system,
  provider,
}: {
  readonly system: SystemDatabase;
  readonly provider: PaymentProvider | null;
}): Handlers<typeof webhooksRoutes> {
  const acrossTenants = createAcrossTenants(system);
  return {
    receiveStripeEvent: outside('asks a provider', async (_ctx, { body }) =>
      receiveEvent(system, requireProvider(provider), body),
    ),
    listWebhookEvents: acrossTenants(listEvents, ({ query }) => query),
    getWebhookEvent: acrossTenants(getEvent, ({ params }) => params.id),
    getWebhookStats: acrossTenants(getStats, ({ query }) => query.days),
    retryFailedWebhooks: outside('asks a provider', async (_ctx, { body }) =>
      retryFailedEvents(system, requireProvider(provider), body.max_retries),
    ),
  };
}
