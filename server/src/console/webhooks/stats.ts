import type { WebhookStats } from '@sluice/contract';
import { count, gt, sql } from 'drizzle-orm';
import { webhookEvents } from '#db/schema/webhook-events.ts';
import type { SystemDatabase } from '#db/system.ts';

/** Counts the events received within the last days. */
export async function getStats(system: SystemDatabase, days: number): Promise<WebhookStats> {
  const rows = await system
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
