import { z } from 'zod';
import { decimalNumber } from '../decimal-number.ts';
import { instant } from '../ids.ts';
import { offsetQuery } from '../pagination.ts';
import { defineRoutes } from '../route.ts';
import { creditTransaction } from './credits.ts';

export const webhookEventStatuses = ['pending', 'processing', 'completed', 'failed'] as const;

export type WebhookEventStatus = (typeof webhookEventStatuses)[number];

export const webhookEvent = z.object({
  id: z.number().int(),
  event_id: z.string(),
  event_type: z.string(),
  status: z.enum(webhookEventStatuses),
  created_at: instant,
  processed_at: instant.nullable(),
  retry_count: z.number().int(),
});

export type WebhookEvent = z.infer<typeof webhookEvent>;

/** `transactions` are what the payment, of which the event tells, has done to the tenant's credits. */
export const webhookEventDetails = webhookEvent.extend({
  payload: z.unknown(),
  attempts: z.array(z.object({ at: instant, error: z.string().nullable() })),
  transactions: z.array(creditTransaction.extend({ tenant_id: z.number().int() })),
});

export type WebhookEventDetails = z.infer<typeof webhookEventDetails>;

/** `success_rate` is a percentage of the events that have ended; 100 when none has. */
export const webhookStats = z.object({
  total_events: z.number().int(),
  successful_events: z.number().int(),
  failed_events: z.number().int(),
  success_rate: z.number(),
  event_types: z.record(z.string(), z.number().int()),
});

export type WebhookStats = z.infer<typeof webhookStats>;

export const webhookRetry = z.object({
  retried_count: z.number().int(),
  success_count: z.number().int(),
  still_failed_count: z.number().int(),
});

export type WebhookRetry = z.infer<typeof webhookRetry>;

const operate = { surface: 'management', permission: 'super_admin' } as const;

export const webhooksRoutes = defineRoutes({
  receiveStripeEvent: {
    method: 'POST',
    path: '/webhooks/stripe',
    surface: 'management',
    permission: 'anyone',
    signatureHeader: 'stripe-signature',
    summary: 'Hear an event of Stripe, which signs what it sends',
    response: z.object({ received: z.literal(true) }),
  },
  listWebhookEvents: {
    ...operate,
    method: 'GET',
    path: '/admin/billing/webhooks/events',
    summary: 'What the payment provider has told, newest first; the total in X-Total-Count',
    request: {
      query: z.strictObject({
        status: z.enum(webhookEventStatuses).optional(),
        event_type: z.string().trim().max(100).optional(),
        failed_only: z.enum(['true', 'false']).optional(),
        ...offsetQuery(50),
      }),
    },
    response: z.array(webhookEvent),
  },
  getWebhookEvent: {
    ...operate,
    method: 'GET',
    path: '/admin/billing/webhooks/events/{id}',
    summary: 'One event: what it said, the attempts to process it, what it did',
    request: { params: z.object({ id: decimalNumber(z.int().min(1)) }) },
    response: webhookEventDetails,
  },
  getWebhookStats: {
    ...operate,
    method: 'GET',
    path: '/admin/billing/webhooks/stats',
    summary: 'Counts of the events of the last days',
    request: { query: z.strictObject({ days: decimalNumber(z.int().min(1).max(365)).default(30) }) },
    response: webhookStats,
  },
  retryFailedWebhooks: {
    ...operate,
    method: 'POST',
    path: '/admin/billing/webhooks/retry-failed',
    summary: 'Process failed events again that were tried less often than this',
    request: { body: z.strictObject({ max_retries: z.number().int().min(1).max(100).default(10) }) },
    response: webhookRetry,
  },
});
