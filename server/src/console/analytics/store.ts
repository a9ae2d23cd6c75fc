import type { KeyOwnerType, UsageMetric } from '@sluice/contract';
import { and, count, eq, type SQL, sql } from 'drizzle-orm';
import { appeals } from '#db/schema/governance.ts';
import type { TenantTransaction } from '#db/tenant.ts';
import { findWindow } from '#domain/allowance/window.ts';
import type { DayRange } from './range.ts';

/** Grouping of the daily sums in `usage_days`. */
type Grouping = 'intent' | 'model' | 'team';

/**
 * Returns the FROM clause of usage by day, user and grouping. Days that are incomplete after a change of time zone come
 * from the 15-minute rollups. Rejected requests do not count as usage.
 */
export function usedBy(grouping: Grouping, range: DayRange): SQL {
  const { tenantId, userId, firstWholeDay, lastDay, from, wholeFrom } = range;
  const ofUser = userId === undefined ? sql`` : sql`AND user_id = ${userId}`;
  const ofDays = sql`SELECT day, user_id, intent, provider_key, model, team_id, is_by_key, requests, tokens, user_llm_nano_usd,
      company_llm_nano_usd, scored_requests, score_sum, last_received_at
    FROM usage_days WHERE tenant_id = ${tenantId} AND grouped_by = ${grouping}
      AND day BETWEEN ${firstWholeDay}::date AND ${lastDay}::date AND requests > 0 ${ofUser}`;
  const ofRollups = sql`SELECT ${dayOf(range)}, user_id, intent, provider_key, model, team_id, api_key_id IS NOT NULL, requests,
      input_tokens + cache_read_tokens + cache_write_tokens + output_tokens, user_llm_nano_usd, company_llm_nano_usd,
      scored_requests, score_sum, coalesce(last_received_at, bucket_start)
    FROM usage_rollups WHERE tenant_id = ${tenantId}
      AND bucket_start >= ${from}::timestamptz AND bucket_start < ${wholeFrom}::timestamptz AND requests > 0 ${ofUser}`;
  return from === wholeFrom ? sql`FROM (${ofDays}) used` : sql`FROM (${ofDays} UNION ALL ${ofRollups}) used`;
}

/** Computes the first instant of each day once, since converting the time zone for each row is slow. */
const dayOf = ({
  firstDay,
  lastDay,
  timeZone,
}: DayRange) => sql`${firstDay}::date - 1 + width_bucket(bucket_start, (
  SELECT array_agg(day AT TIME ZONE ${timeZone} ORDER BY day)
  FROM generate_series(${firstDay}::timestamp, ${lastDay}::timestamp, '1 day') day
))`;

const tokens = sql`sum(tokens)`;
export const asInstant = (column: SQL) =>
  sql`to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** Returns usage by user and intent. */
export async function selectUsage(tx: TenantTransaction, range: DayRange) {
  const { rows } = await tx.execute<{
    userId: number | null;
    intent: string | null;
    requests: number;
    tokens: number;
  }>(sql`SELECT user_id AS "userId", intent, sum(requests)::float8 AS requests, ${tokens}::float8 AS tokens
    ${usedBy('intent', range)} GROUP BY user_id, intent`);
  return rows;
}

/** Returns tokens and users for days that have usage. */
export async function selectDailyUsage(tx: TenantTransaction, range: DayRange) {
  const { rows } = await tx.execute<{ date: string; tokens: number; users: number }>(sql`
    SELECT day::text AS date, sum(tokens)::float8 AS tokens, count(user_id)::float8 AS users
    FROM (SELECT day, user_id, ${tokens} AS tokens ${usedBy('team', range)} GROUP BY 1, 2) used
    GROUP BY day`);
  return rows;
}

export async function selectTopUsers(
  tx: TenantTransaction,
  range: DayRange,
  { limit, metric }: { limit: number; metric: UsageMetric },
) {
  const { rows } = await tx.execute<{
    id: number;
    name: string | null;
    requests: number;
    tokens: number;
    score: number | null;
    lastRequest: string;
  }>(sql`
    SELECT id, u.name, requests, tokens, score, ${asInstant(sql`last_request`)} AS "lastRequest"
    FROM (
      SELECT user_id AS id, sum(requests)::float8 AS requests, ${tokens}::float8 AS tokens,
        sum(score_sum) / nullif(sum(scored_requests), 0)::float8 AS score, max(last_received_at) AS last_request
      ${usedBy('team', range)} WHERE user_id IS NOT NULL GROUP BY user_id
    ) used LEFT JOIN users u USING (id)
    ORDER BY ${largestBy(metric)}, id LIMIT ${limit}`);
  return rows;
}

const largestBy = (metric: UsageMetric) =>
  metric === 'tokens' ? sql`tokens DESC, requests DESC` : sql`requests DESC, tokens DESC`;

export async function selectTopModels(tx: TenantTransaction, range: DayRange, limit: number) {
  const { rows } = await tx.execute<{
    model: string | null;
    providerKey: string | null;
    requests: number;
    tokens: number;
    users: number;
    total: number;
  }>(sql`
    SELECT model, provider_key AS "providerKey", sum(requests)::float8 AS requests, sum(tokens)::float8 AS tokens,
      count(user_id)::float8 AS users, sum(sum(requests)) OVER ()::float8 AS total
    FROM (
      SELECT model, provider_key, user_id, sum(requests) AS requests, ${tokens} AS tokens
      ${usedBy('model', range)} GROUP BY 1, 2, 3
    ) used
    GROUP BY model, provider_key ORDER BY sum(requests) DESC, sum(tokens) DESC, model, provider_key LIMIT ${limit}`);
  return rows;
}

/** Returns what keys used: the total of each user, and of each team's grants. */
export async function selectTopApiKeys(
  tx: TenantTransaction,
  range: DayRange,
  { limit, metric, breakdown }: { limit: number; metric: UsageMetric; breakdown: KeyOwnerType | undefined },
) {
  const ownersOf = (type: KeyOwnerType, id: SQL, names: SQL) => sql`
    SELECT ${type}::text AS type, ${id} AS id, n.name, sum(requests)::float8 AS requests, sum(tokens)::float8 AS tokens,
      max(last_used) AS last_used
    FROM used LEFT JOIN ${names} n ON n.id = ${id} WHERE ${id} IS NOT NULL GROUP BY ${id}, n.name`;
  const parts = [
    ...(breakdown === 'team' ? [] : [ownersOf('user', sql`user_id`, sql`users`)]),
    ...(breakdown === 'user' ? [] : [ownersOf('team', sql`team_id`, sql`teams`)]),
  ];
  const { rows } = await tx.execute<{
    type: KeyOwnerType;
    id: number;
    name: string | null;
    requests: number;
    tokens: number;
    lastUsed: string;
    totalRequests: number;
    totalTokens: number;
  }>(sql`
    WITH used AS (
      SELECT user_id, team_id, sum(requests) AS requests, ${tokens} AS tokens, max(last_received_at) AS last_used
      ${usedBy('team', range)} WHERE is_by_key GROUP BY 1, 2
    )
    SELECT owners.*, ${asInstant(sql`last_used`)} AS "lastUsed",
      (SELECT sum(requests)::float8 FROM used) AS "totalRequests", (SELECT sum(tokens)::float8 FROM used) AS "totalTokens"
    FROM (${sql.join(parts, sql` UNION ALL `)}) owners
    ORDER BY ${largestBy(metric)}, type, id LIMIT ${limit}`);
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
      ${usedBy('model', range)} WHERE user_llm_nano_usd + company_llm_nano_usd <> 0 GROUP BY 1, 2
    ) spent LEFT JOIN provider_registry r USING (provider_key)
    ORDER BY day, provider_key`);
  return rows;
}

/** Counts rejected requests by day and reason, most frequent first. A log row may represent several rejections. */
export async function selectRefusals(tx: TenantTransaction, range: DayRange) {
  const { tenantId, userId, from, end } = range;
  const ofUser = userId === undefined ? sql`` : sql`AND user_id = ${userId}`;
  const { rows } = await tx.execute<{ date: string; reason: string; count: number; rows: number }>(sql`
    SELECT (${range.firstDay}::date + place - 1)::text AS date, reason, count, rows FROM (
      SELECT ${dayOfRow(range)} AS place, coalesce(error_code, 'refused') AS reason, sum(repeats)::float8 AS count,
        count(*)::float8 AS rows
      FROM request_logs
      WHERE tenant_id = ${tenantId} ${ofUser} AND status = 'refused'
        AND id >= uuid_floor(${from}::timestamptz) AND id < uuid_floor(${end}::timestamptz)
      GROUP BY 1, 2
    ) refused ORDER BY count DESC, place, reason`);
  return rows;
}

/** Position of the row's day in the range, derived from the id like in the day filter of the log. */
const dayOfRow = ({ firstDay, lastDay, timeZone }: DayRange) => sql`width_bucket(id, (
  SELECT array_agg(uuid_floor(day AT TIME ZONE ${timeZone}) ORDER BY day)
  FROM generate_series(${firstDay}::timestamp, ${lastDay}::timestamp, '1 day') day
))`;

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
