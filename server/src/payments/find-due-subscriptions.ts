import type { PaymentProviderName } from '@sluice/contract';
import { and, asc, eq, isNull, ne, or, sql } from 'drizzle-orm';
import { subscriptions } from '#db/schema/subscriptions.ts';
import type { SystemDatabase } from '#db/system.ts';
import { renewalGraceDays } from '#domain/subscription-standing.ts';

/**
 * Returns up to 50 tenants whose subscription may have changed at the provider without an event: subscriptions not yet
 * created there, those whose trial, month, grace period or cancellation has ended since the last check, unpaid ones
 * every hour, and all others daily.
 */
export async function findDueSubscriptions(
  database: SystemDatabase,
  provider: PaymentProviderName,
): Promise<number[]> {
  const { checkedAt, trialEndsAt, periodEndsAt, endsAt, unpaidSince } = subscriptions;
  const hasCome = (instant: unknown) => sql`(${instant} > ${checkedAt} AND ${instant} <= now())`;
  const rows = await database
    .select({ tenantId: subscriptions.tenantId })
    .from(subscriptions)
    .where(
      and(
        eq(subscriptions.provider, provider),
        ne(subscriptions.status, 'canceled'),
        or(
          and(isNull(subscriptions.subscriptionId), sql`${checkedAt} < now() - interval '30 seconds'`),
          hasCome(trialEndsAt),
          hasCome(periodEndsAt),
          hasCome(endsAt),
          hasCome(sql`${unpaidSince} + ${renewalGraceDays} * interval '1 day'`),
          sql`${subscriptions.status} = 'past_due' AND ${checkedAt} < now() - interval '1 hour'`,
          sql`${checkedAt} < now() - interval '1 day'`,
        ),
      ),
    )
    .orderBy(asc(checkedAt))
    .limit(50);
  return rows.map(({ tenantId }) => tenantId);
}
