import { z } from 'zod';
import { decimalNumber } from '../decimal-number.ts';
import { instant } from '../ids.ts';
import { offsetQuery, pageBefore } from '../pagination.ts';
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

/** `transactions` contains the credit bookings of the payment that the event concerns. */
export const webhookEventDetails = webhookEvent.extend({
  payload: z.unknown(),
  attempts: z.array(z.object({ at: instant, error: z.string().nullable() })),
  transactions: z.array(creditTransaction.extend({ tenant_id: z.number().int() })),
});

export type WebhookEventDetails = z.infer<typeof webhookEventDetails>;

/** `success_rate` is the percentage of processed events, and 100 without events. */
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
    summary: 'Receive a signed Stripe event',
    response: z.object({ received: z.literal(true) }),
  },
  listWebhookEvents: {
    ...operate,
    method: 'GET',
    path: '/admin/billing/webhooks/events',
    summary: 'List webhook events of the payment provider, newest first; the total is in X-Total-Count',
    request: {
      query: z.strictObject({
        status: z.enum(webhookEventStatuses).optional(),
        event_type: z.string().trim().max(100).optional(),
        failed_only: z.enum(['true', 'false']).optional(),
        ...offsetQuery(50),
        before: pageBefore,
      }),
    },
    response: z.array(webhookEvent),
  },
  getWebhookEvent: {
    ...operate,
    method: 'GET',
    path: '/admin/billing/webhooks/events/{id}',
    summary: 'Get an event with its content, processing attempts and effects',
    request: { params: z.object({ id: decimalNumber(z.int().min(1)) }) },
    response: webhookEventDetails,
  },
  getWebhookStats: {
    ...operate,
    method: 'GET',
    path: '/admin/billing/webhooks/stats',
    summary: 'Get event counts over the last days',
    request: { query: z.strictObject({ days: decimalNumber(z.int().min(1).max(365)).default(30) }) },
    response: webhookStats,
  },
  retryFailedWebhooks: {
    ...operate,
    method: 'POST',
    path: '/admin/billing/webhooks/retry-failed',
    summary: 'Retry failed events that have been retried fewer than `max_retries` times',
    request: { body: z.strictObject({ max_retries: z.number().int().min(1).max(100).default(10) }) },
    response: webhookRetry,
  },
});
