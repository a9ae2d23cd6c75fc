import { and, count, eq, sql } from 'drizzle-orm';
import { appeals } from '#db/schema/appeals.ts';
import type { TenantTransaction } from '#db/tenant.ts';
import { findWindow } from '#domain/allowance/window.ts';
import type { DayRange } from './range.ts';

/** Returns usage by instance, most failures first; the cost is in nano-dollars as text. */
export async function selectProviderUse(tx: TenantTransaction, { tenantId, from, end }: DayRange) {
  const { rows } = await tx.execute<{
    id: number | null;
    name: string | null;
    requests: number;
    errors: number;
    cost: string;
  }>(sql`
    SELECT used.*, p.provider_instance_name AS name FROM (
      SELECT llm_provider_id AS id, sum(requests)::float8 AS requests, sum(errors)::float8 AS errors,
        sum(cost_nano_usd)::text AS cost
      FROM usage_rollups
      WHERE tenant_id = ${tenantId} AND bucket_start >= ${from}::timestamptz AND bucket_start < ${end}::timestamptz
      GROUP BY llm_provider_id
    ) used LEFT JOIN llm_providers p USING (id)
    ORDER BY errors DESC, id`);
  return rows;
}

const nearShare = 0.8;

/** Counts active users whose usage of a daily or monthly token limit has reached `nearShare`. */
export async function countUsersNearLimit(tx: TenantTransaction, { tenantId, from, timeZone }: DayRange) {
  const startOf = (kind: 'tokens_per_day' | 'tokens_per_month') =>
    new Date(findWindow(kind, Date.parse(from), timeZone).startMs).toISOString();
  const { rows } = await tx.execute<{ count: number }>(sql`
    SELECT count(DISTINCT u.id)::float8 AS count FROM users u JOIN allowances a ON a.subject_id = u.id
    WHERE u.tenant_id = ${tenantId} AND a.tenant_id = ${tenantId} AND u.is_active AND (
      (a.kind = 'tokens_per_day' AND a.window_start = ${startOf('tokens_per_day')}::timestamptz
        AND a.settled >= ${nearShare}::float8 * u.daily_quota AND u.daily_quota > 0)
      OR (a.kind = 'tokens_per_month' AND a.window_start = ${startOf('tokens_per_month')}::timestamptz
        AND a.settled >= ${nearShare}::float8 * u.monthly_quota AND u.monthly_quota > 0)
    )`);
  return rows[0]?.count ?? 0;
}

export async function countOpenAppeals(tx: TenantTransaction, tenantId: number): Promise<number> {
  const [row] = await tx
    .select({ open: count() })
    .from(appeals)
    .where(and(eq(appeals.tenantId, tenantId), eq(appeals.status, 'open')));
  return row?.open ?? 0;
}
