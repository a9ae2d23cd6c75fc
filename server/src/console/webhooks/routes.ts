import type { webhooksRoutes } from '@sluice/contract';
import { requireProvider } from '#console/payments/require-provider.ts';
import type { SystemDatabase } from '#db/system.ts';
import type { Handlers } from '#http/console-route.ts';
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
  return {
    receiveStripeEvent: async (_ctx, { body }) => receiveEvent(system, requireProvider(provider), body),
    listWebhookEvents: (ctx, { query }) => listEvents(system, ctx, query),
    getWebhookEvent: (_ctx, { params }) => getEvent(system, params.id),
    getWebhookStats: (_ctx, { query }) => getStats(system, query.days),
    retryFailedWebhooks: async (_ctx, { body }) =>
      retryFailedEvents(system, requireProvider(provider), body.max_retries),
  };
}
