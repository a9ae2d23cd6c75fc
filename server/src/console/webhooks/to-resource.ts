import type { WebhookEvent } from '@sluice/contract';
import type { webhookEvents } from '#db/schema/webhook-events.ts';

type Row = Omit<typeof webhookEvents.$inferSelect, 'payload' | 'attempts'>;

export function toWebhookEvent(row: Row): WebhookEvent {
  return {
    id: row.id,
    event_id: row.eventId,
    event_type: row.eventType,
    status: row.status,
    created_at: row.createdAt.toISOString(),
    processed_at: row.processedAt?.toISOString() ?? null,
    retry_count: row.retryCount,
  };
}
