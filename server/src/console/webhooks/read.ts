import type { WebhookEvent, WebhookEventDetails, WebhookStats, webhooksRoutes } from '@sluice/contract';
import { and, asc, count, desc, eq, getTableColumns, gt, lt, sql } from 'drizzle-orm';
import { toCreditTransaction } from '#console/credits/read.ts';
import { ledgerEntries, webhookEvents } from '#db/schema/payments.ts';
import type { SystemDatabase } from '#db/system.ts';
import type { Principal } from '#domain/principal.ts';
import { notFound } from '#errors/console-error.ts';
import type { RouteInput } from '#http/console-route.ts';
import { Page } from '#http/verbs.ts';

type Filters = RouteInput<(typeof webhooksRoutes)['listWebhookEvents']>['query'];

/** Omits the content, which may be large. */
export async function listEvents(
  tx: SystemDatabase,
  _author: Principal,
  { status, event_type: eventType, failed_only: failedOnly, before, limit, offset }: Filters,
): Promise<Page<WebhookEvent[]>> {
  const { payload: _payload, attempts: _attempts, ...columns } = getTableColumns(webhookEvents);
  const filters = and(
    status && eq(webhookEvents.status, status),
    eventType ? eq(webhookEvents.eventType, eventType) : undefined,
    failedOnly === 'true' ? eq(webhookEvents.status, 'failed') : undefined,
    before === undefined ? undefined : lt(webhookEvents.id, before),
  );
  const rows = await tx
    .select(columns)
    .from(webhookEvents)
    .where(filters)
    .orderBy(desc(webhookEvents.id))
    .limit(limit)
    .offset(offset);
  return new Page(rows.map(toWebhookEvent), String(await tx.$count(webhookEvents, filters)));
}

export async function getEvent(
  tx: SystemDatabase,
  _author: Principal,
  id: number,
): Promise<WebhookEventDetails> {
  const [event] = await tx.select().from(webhookEvents).where(eq(webhookEvents.id, id));
  if (!event) throw notFound('Event');
  const entries =
    event.intentId === null
      ? []
      : await tx
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

export async function getStats(tx: SystemDatabase, _author: Principal, days: number): Promise<WebhookStats> {
  const rows = await tx
    .select({ type: webhookEvents.eventType, status: webhookEvents.status, events: count() })
    .from(webhookEvents)
    .where(gt(webhookEvents.createdAt, sql`now() - make_interval(days => ${days})`))
    .groupBy(webhookEvents.eventType, webhookEvents.status)
    .orderBy(webhookEvents.eventType);
  const countOf = (wanted?: string) =>
    rows.reduce((sum, { status, events }) => (wanted && status !== wanted ? sum : sum + events), 0);
  const types = new Map<string, number>();
  for (const { type, events } of rows) types.set(type, (types.get(type) ?? 0) + events);
  const [successful, failed] = [countOf('completed'), countOf('failed')];
  const ended = successful + failed;
  return {
    total_events: countOf(),
    successful_events: successful,
    failed_events: failed,
    success_rate: ended === 0 ? 100 : (successful / ended) * 100,
    event_types: Object.fromEntries(types),
  };
}

type Row = Omit<typeof webhookEvents.$inferSelect, 'payload' | 'attempts'>;

function toWebhookEvent(row: Row): WebhookEvent {
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
