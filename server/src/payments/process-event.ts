import { and, asc, eq, inArray, lt, lte, or, sql } from 'drizzle-orm';
import { type WebhookAttempt, webhookEvents } from '#db/schema/webhook-events.ts';
import type { SystemDatabase } from '#db/system.ts';
import { applyIntent } from './apply-intent.ts';
import { applySubscriptionOfCustomer } from './apply-subscription.ts';
import type { PaymentProvider, ProviderEvent } from './payment-provider.ts';

/** An event is tried again by itself this often; by hand it can be more. */
export const webhookRetriesMax = 10;
const attemptsKept = 20;
/** A node that died while it processed one leaves it so for this long. */
const takenForSeconds = 60;
const firstPauseSeconds = 30;

/** Keeps an event, once; answers its row's id, or `undefined` when it was kept before. */
export async function recordEvent(
  database: SystemDatabase,
  event: ProviderEvent,
): Promise<number | undefined> {
  const [row] = await database
    .insert(webhookEvents)
    .values({
      eventId: event.id,
      eventType: event.type,
      intentId: event.intentId,
      customerId: event.customerId,
      payload: event.payload,
    })
    .onConflictDoNothing()
    .returning({ id: webhookEvents.id });
  return row?.id;
}

/** Events whose next attempt is due, oldest first. */
export async function findDueEvents(database: SystemDatabase): Promise<number[]> {
  const rows = await database
    .select({ id: webhookEvents.id })
    .from(webhookEvents)
    .where(
      and(
        inArray(webhookEvents.status, ['pending', 'processing', 'failed']),
        lte(webhookEvents.nextAttemptAt, sql`now()`),
        lt(webhookEvents.retryCount, webhookRetriesMax),
      ),
    )
    .orderBy(asc(webhookEvents.id))
    .limit(100);
  return rows.map(({ id }) => id);
}

/** Failed events that were tried less often than this, oldest first. */
export async function findFailedEvents(database: SystemDatabase, retriesMax: number): Promise<number[]> {
  const rows = await database
    .select({ id: webhookEvents.id })
    .from(webhookEvents)
    .where(and(eq(webhookEvents.status, 'failed'), lt(webhookEvents.retryCount, retriesMax)))
    .orderBy(asc(webhookEvents.id))
    .limit(1_000);
  return rows.map(({ id }) => id);
}

/**
 * Processes one event unless it is done or in another's hands. The order of arrival does not count: what is booked is
 * how the payment or the subscription stands at the provider now. Answers whether it went well, `undefined` when it was not its turn.
 */
export async function processEvent(
  database: SystemDatabase,
  provider: PaymentProvider,
  id: number,
): Promise<boolean | undefined> {
  const event = await takeEvent(database, id);
  if (!event) return undefined;
  try {
    if (event.intentId !== null) await applyIntent(database, provider, event.intentId);
    if (event.customerId !== null) await applySubscriptionOfCustomer(database, provider, event.customerId);
    await endAttempt(database, event, null);
    return true;
  } catch (error) {
    await endAttempt(database, event, error instanceof Error ? error.message : String(error));
    return false;
  }
}

type Event = typeof webhookEvents.$inferSelect;

async function takeEvent(database: SystemDatabase, id: number): Promise<Event | undefined> {
  const isFree = or(
    inArray(webhookEvents.status, ['pending', 'failed']),
    and(eq(webhookEvents.status, 'processing'), lte(webhookEvents.nextAttemptAt, sql`now()`)),
  );
  const [event] = await database
    .update(webhookEvents)
    .set({
      status: 'processing',
      nextAttemptAt: sql`now() + ${takenForSeconds} * interval '1 second'`,
      retryCount: sql`${webhookEvents.retryCount} + (${webhookEvents.status} <> 'pending')::integer`,
    })
    .where(and(eq(webhookEvents.id, id), isFree))
    .returning();
  return event;
}

async function endAttempt(database: SystemDatabase, event: Event, error: string | null): Promise<void> {
  const attempt: WebhookAttempt = { at: new Date().toISOString(), error };
  const pauseSeconds = firstPauseSeconds * 2 ** event.retryCount;
  await database
    .update(webhookEvents)
    .set({
      status: error === null ? 'completed' : 'failed',
      processedAt: error === null ? sql`now()` : null,
      attempts: [...event.attempts, attempt].slice(-attemptsKept),
      nextAttemptAt: sql`now() + ${pauseSeconds} * interval '1 second'`,
    })
    .where(eq(webhookEvents.id, event.id));
}
