import { and, asc, eq, inArray, lt, lte, or, sql } from 'drizzle-orm';
import { type WebhookAttempt, webhookEvents } from '#db/schema/payments.ts';
import type { SystemDatabase } from '#db/system.ts';
import { applyIntent } from './apply-intent.ts';
import { applySubscriptionOfCustomer } from './apply-subscription.ts';
import type { PaymentProvider, ProviderEvent } from './payment-provider.ts';

/** Maximum number of automatic attempts per event; manual ones are not limited. */
export const webhookRetriesMax = 10;
const attemptsKept = 20;
/** An event stays locked for this long if its node died while processing it. */
const takenForSeconds = 60;
const firstPauseSeconds = 30;

/** Stores an event once; returns the id of its row, or `undefined` if it was stored before. */
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

/** Returns events whose next attempt is due, oldest first. */
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

/** Returns failed events with fewer attempts than this, oldest first. */
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
 * Processes an event unless it is done or in progress elsewhere. The order does not matter: it books the current state
 * at the provider. Returns whether it succeeded; `undefined` if it was skipped.
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
