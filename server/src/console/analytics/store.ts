import { and, count, eq, type SQL, sql } from 'drizzle-orm';
import { appeals } from '#db/schema/governance.ts';
import type { TenantTransaction } from '#db/tenant.ts';
import { selectDeletedName } from './deleted-name.ts';
import type { DayRange } from './range.ts';
import { usedBy } from './used-by.ts';

const tokens = sql`sum(tokens)`;
/** Cost in nano-dollars: the sum of costs paid to the tenant's own providers and costs charged to credits. */
const cost = sql`sum(user_llm_nano_usd + company_llm_nano_usd)`;
export const asInstant = (column: SQL) =>
  sql`to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

export async function selectUsage(tx: TenantTransaction, range: DayRange) {
  const { rows } = await tx.execute<{
    userId: number | null;
    intent: string | null;
    requests: number;
    tokens: number;
    cost: string;
  }>(sql`SELECT user_id AS "userId", intent, sum(requests)::float8 AS requests, ${tokens}::float8 AS tokens, ${cost}::text AS cost
    ${usedBy(['intent'], range)} GROUP BY user_id, intent`);
  return rows;
}

/** Returns the first day with usage of the tenant, regardless of the range and its filters. */
export async function selectFirstUsedDay(
  tx: TenantTransaction,
  { tenantId, timeZone }: Pick<DayRange, 'tenantId' | 'timeZone'>,
): Promise<string | null> {
  const { rows } = await tx.execute<{ day: string | null }>(sql`
    SELECT (min(bucket_start) AT TIME ZONE ${timeZone})::date::text AS day FROM usage_rollups
    WHERE tenant_id = ${tenantId} AND requests > 0`);
  return rows[0]?.day ?? null;
}

export async function selectDailyUsage(tx: TenantTransaction, range: DayRange) {
  const { rows } = await tx.execute<{
    date: string;
    tokens: number;
    requests: number;
    cost: string;
    users: number;
  }>(sql`
    SELECT day::text AS date, sum(tokens)::float8 AS tokens, sum(requests)::float8 AS requests, sum(cost)::text AS cost,
      count(user_id)::float8 AS users
    FROM (SELECT day, user_id, ${tokens} AS tokens, sum(requests) AS requests, ${cost} AS cost ${usedBy([], range)} GROUP BY 1, 2) used
    GROUP BY day`);
  return rows;
}

/** Returns spending by provider and day in nano-dollars. */
export async function selectSpend(tx: TenantTransaction, range: DayRange) {
  const { rows } = await tx.execute<{
    date: string;
    providerKey: string | null;
    providerName: string | null;
    self: string;
    service: string;
  }>(sql`
    SELECT day::text AS date, provider_key AS "providerKey", r.display_name AS "providerName", self, service
    FROM (
      SELECT day, provider_key, sum(user_llm_nano_usd)::text AS self, sum(company_llm_nano_usd)::text AS service
      ${usedBy(['provider_key'], range)} WHERE user_llm_nano_usd + company_llm_nano_usd <> 0 GROUP BY 1, 2
    ) spent LEFT JOIN provider_registry r USING (provider_key)
    ORDER BY day, provider_key`);
  return rows;
}

/** Returns usage by instance, ordered by number of failures. The cost is nano-dollars as text. */
export async function selectProviderUse(tx: TenantTransaction, { tenantId, from, end }: DayRange) {
  const { rows } = await tx.execute<{
    id: number | null;
    name: string | null;
    requests: number;
    errors: number;
    cost: string;
  }>(sql`
    SELECT used.*, coalesce(p.provider_instance_name, ${selectDeletedName(tenantId, 'llm_provider', sql`used.id`)}) AS name
    FROM (
      SELECT llm_provider_id AS id, sum(requests)::float8 AS requests, sum(errors)::float8 AS errors,
        sum(cost_nano_usd)::text AS cost
      FROM usage_rollups
      WHERE tenant_id = ${tenantId} AND bucket_start >= ${from}::timestamptz AND bucket_start < ${end}::timestamptz
      GROUP BY llm_provider_id
    ) used LEFT JOIN llm_providers p USING (id)
    ORDER BY errors DESC, id`);
  return rows;
}

export async function countOpenAppeals(tx: TenantTransaction, tenantId: number): Promise<number> {
  const [row] = await tx
    .select({ open: count() })
    .from(appeals)
    .where(and(eq(appeals.tenantId, tenantId), eq(appeals.status, 'open')));
  return row?.open ?? 0;
}

const expiringDays = 14;
const expiringMax = 10;

/**
 * Returns the first active API keys that expire within `expiringDays`. `total` also counts the keys beyond
 * `expiringMax`.
 */
export async function selectExpiringKeys(tx: TenantTransaction, tenantId: number) {
  const { rows } = await tx.execute<{
    userId: number;
    userName: string;
    keyName: string;
    expiresAt: string;
    total: number;
  }>(sql`
    SELECT k.user_id AS "userId", u.name AS "userName", k.name AS "keyName", ${asInstant(sql`k.expires_at`)} AS "expiresAt",
      count(*) OVER ()::float8 AS total
    FROM api_keys k JOIN users u ON u.id = k.user_id
    WHERE k.tenant_id = ${tenantId} AND k.revoked_at IS NULL AND k.superseded_at IS NULL AND u.is_active
      AND k.expires_at > now() AND k.expires_at <= now() + make_interval(days => ${expiringDays})
    ORDER BY k.expires_at, k.id LIMIT ${expiringMax}`);
  return rows;
}
