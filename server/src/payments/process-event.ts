import { and, asc, eq, lt, lte, ne, or, sql } from 'drizzle-orm';
import { type WebhookAttempt, webhookEvents } from '#db/schema/payments.ts';
import type { SystemDatabase } from '#db/system.ts';
import { attemptDueRows, attemptRow, type RetryQueue } from '#retry-queue/retry-queue.ts';
import { applyIntent } from './apply-intent.ts';
import { applySubscriptionOfCustomer } from './apply-subscription.ts';
import type { PaymentProvider, ProviderEvent } from './payment-provider.ts';

/** Maximum number of automatic retries per event. Manual retries are not limited. */
export const webhookRetriesMax = 10;
const attemptsKept = 20;
/**
 * Returns the queue of events. Their order and repetition do not matter, since processing reads the current state
 * from the provider.
 */
function createEventQueue(
  database: SystemDatabase,
  provider: PaymentProvider,
): RetryQueue<typeof webhookEvents> {
  return {
    table: webhookEvents,
    isOpen: sql`${webhookEvents.status} <> 'completed'`,
    isScheduled: lt(webhookEvents.retryCount, webhookRetriesMax),
    claimSeconds: 60,
    // The delay is 30 s after the first failure and doubles with each further one.
    retrySeconds: Array.from({ length: webhookRetriesMax }, (_, failures) => 30 * 2 ** failures),
    started: {
      status: 'processing',
      retryCount: sql`${webhookEvents.retryCount} + (${webhookEvents.status} <> 'pending')::integer`,
    },
    attemptsOf: ({ retryCount }) => retryCount + 1,
    async attempt({ intentId, customerId }) {
      if (intentId !== null) await applyIntent(database, provider, intentId);
      if (customerId !== null) await applySubscriptionOfCustomer(database, provider, customerId);
    },
    succeeded: (event) => ({
      status: 'completed',
      processedAt: sql`now()`,
      attempts: addAttempt(event, null),
    }),
    failed: (event, { message }) => ({ status: 'failed', attempts: addAttempt(event, message) }),
  };
}

function addAttempt({ attempts }: typeof webhookEvents.$inferSelect, error: string | null): WebhookAttempt[] {
  return [...attempts, { at: new Date().toISOString(), error }].slice(-attemptsKept);
}

/** Stores an event once. Returns the id of its row, or `undefined` if the event was stored before. */
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

/** Processes up to 100 events that are due because they failed or their node died. */
export function processDueEvents(
  database: SystemDatabase,
  provider: PaymentProvider,
  signal: AbortSignal,
): Promise<void> {
  return attemptDueRows(database, createEventQueue(database, provider), { signal, max: 100 });
}

/** Returns the oldest events first. */
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
 * Processes an event now unless it is complete or another node is processing it. Returns whether the event succeeded;
 * `undefined` if it was skipped.
 */
export function processEvent(
  database: SystemDatabase,
  provider: PaymentProvider,
  id: number,
): Promise<boolean | undefined> {
  const isFree = or(ne(webhookEvents.status, 'processing'), lte(webhookEvents.nextAttemptAt, sql`now()`));
  return attemptRow(database, createEventQueue(database, provider), id, isFree);
}
