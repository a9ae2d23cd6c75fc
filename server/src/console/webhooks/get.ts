import type { WebhookEventDetails } from '@sluice/contract';
import { asc, eq } from 'drizzle-orm';
import { toCreditTransaction } from '#console/credits/to-resources.ts';
import { ledgerEntries } from '#db/schema/ledger-entries.ts';
import { webhookEvents } from '#db/schema/webhook-events.ts';
import type { SystemDatabase } from '#db/system.ts';
import { notFound } from '#errors/console-error.ts';
import { toWebhookEvent } from './to-resource.ts';

/** Returns an event with its content and the effect of its payment on the credits. */
export async function getEvent(system: SystemDatabase, id: number): Promise<WebhookEventDetails> {
  const [event] = await system.select().from(webhookEvents).where(eq(webhookEvents.id, id));
  if (!event) throw notFound('Event');
  const entries =
    event.intentId === null
      ? []
      : await system
          .select()
          .from(ledgerEntries)
          .where(eq(ledgerEntries.paymentReference, event.intentId))
          .orderBy(asc(ledgerEntries.id));
  return {
    ...toWebhookEvent(event),
    payload: event.payload,
    attempts: event.attempts,
    transactions: entries.map((entry) => ({ ...toCreditTransaction(entry), tenant_id: entry.tenantId })),
  };
}
