import type { WebhookEvent, webhooksRoutes } from '@sluice/contract';
import { and, desc, eq, getTableColumns } from 'drizzle-orm';
import { webhookEvents } from '#db/schema/webhook-events.ts';
import type { SystemDatabase } from '#db/system.ts';
import type { RouteInput, SignedInContext } from '#http/console-route.ts';
import { toWebhookEvent } from './to-resource.ts';

type Filters = RouteInput<(typeof webhooksRoutes)['listWebhookEvents']>['query'];

/** Lists events without their contents, which may be large. */
export async function listEvents(
  system: SystemDatabase,
  ctx: SignedInContext,
  { status, event_type: eventType, failed_only: failedOnly, limit, offset }: Filters,
): Promise<WebhookEvent[]> {
  const { payload: _payload, attempts: _attempts, ...columns } = getTableColumns(webhookEvents);
  const filters = and(
    status && eq(webhookEvents.status, status),
    eventType ? eq(webhookEvents.eventType, eventType) : undefined,
    failedOnly === 'true' ? eq(webhookEvents.status, 'failed') : undefined,
  );
  const rows = await system
    .select(columns)
    .from(webhookEvents)
    .where(filters)
    .orderBy(desc(webhookEvents.id))
    .limit(limit)
    .offset(offset);
  ctx.setHeader('x-total-count', String(await system.$count(webhookEvents, filters)));
  return rows.map(toWebhookEvent);
}
