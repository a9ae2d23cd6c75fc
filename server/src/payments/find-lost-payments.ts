import type { PaymentProviderName } from '@sluice/contract';
import { and, asc, eq, isNotNull, or, sql } from 'drizzle-orm';
import { payments } from '#db/schema/payments.ts';
import type { SystemDatabase } from '#db/system.ts';

/**
 * Returns up to 50 payments that may have changed at the provider without an event: open payments of the last week
 * every 5 minutes, and paid payments of the last six months, which may be refunded or disputed, daily.
 */
export async function findLostPayments(
  database: SystemDatabase,
  provider: PaymentProviderName,
): Promise<string[]> {
  const rows = await database
    .select({ intentId: payments.intentId })
    .from(payments)
    .where(
      and(
        eq(payments.provider, provider),
        isNotNull(payments.intentId),
        or(
          sql`${payments.status} IN ('pending', 'failed') AND ${payments.createdAt} > now() - interval '7 days'
            AND ${payments.checkedAt} < now() - interval '5 minutes'`,
          sql`${payments.status} = 'succeeded' AND ${payments.createdAt} > now() - interval '180 days'
            AND ${payments.checkedAt} < now() - interval '1 day'`,
        ),
      ),
    )
    .orderBy(asc(payments.checkedAt))
    .limit(50);
  return rows.flatMap(({ intentId }) => intentId ?? []);
}
