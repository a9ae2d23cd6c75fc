import type { KeyOwnerType, UsageMetric } from '@sluice/contract';
import { type SQL, sql } from 'drizzle-orm';
import type { TenantTransaction } from '#db/tenant.ts';
import type { DayRange } from './range.ts';

/** Quarters of an hour in which something was used; refusals alone are no use. */
export function usedIn({ tenantId, userId, from, end }: DayRange): SQL {
  const ofUser = userId === undefined ? sql`` : sql`AND user_id = ${userId}`;
  return sql`FROM usage_rollups WHERE tenant_id = ${tenantId} ${ofUser}
    AND bucket_start >= ${from}::timestamptz AND bucket_start < ${end}::timestamptz AND requests > 0`;
}

const tokens = sql`sum(input_tokens + cache_read_tokens + cache_write_tokens + output_tokens)`;
const lastReceived = sql`max(coalesce(last_received_at, bucket_start))`;
export const asInstant = (column: SQL) =>
  sql`to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** By person and intent. */
export async function selectUsage(tx: TenantTransaction, range: DayRange) {
  const { rows } = await tx.execute<{
    userId: number | null;
    intent: string | null;
    requests: number;
    tokens: number;
  }>(sql`SELECT user_id AS "userId", intent, sum(requests)::float8 AS requests, ${tokens}::float8 AS tokens
    ${usedIn(range)} GROUP BY user_id, intent`);
  return rows;
}

/** Days of the tenant's zone that have any. */
export async function selectDailyUsage(tx: TenantTransaction, range: DayRange) {
  const { rows } = await tx.execute<{ date: string; tokens: number; users: number }>(sql`
    SELECT ${dateOf(range, sql`place`)} AS date, sum(tokens)::float8 AS tokens, count(user_id)::float8 AS users
    FROM (SELECT ${dayOf(range)} AS place, user_id, ${tokens} AS tokens ${usedIn(range)} GROUP BY 1, 2) used
    GROUP BY place`);
  return rows;
}

/** The day's place in the range. The days' first instants are found once, since asking the zone for each row is slow. */
export const dayOf = ({ firstDay, lastDay, timeZone }: DayRange) => sql`width_bucket(bucket_start, (
  SELECT array_agg(day AT TIME ZONE ${timeZone} ORDER BY day)
  FROM generate_series(${firstDay}::timestamp, ${lastDay}::timestamp, '1 day') day
))`;

export const dateOf = ({ firstDay }: DayRange, place: SQL) => sql`(${firstDay}::date + ${place} - 1)::text`;

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
        sum(score_sum) / nullif(sum(scored_requests), 0)::float8 AS score, ${lastReceived} AS last_request
      ${usedIn(range)} AND user_id IS NOT NULL GROUP BY user_id
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
      ${usedIn(range)} GROUP BY 1, 2, 3
    ) used
    GROUP BY model, provider_key ORDER BY sum(requests) DESC, sum(tokens) DESC, model, provider_key LIMIT ${limit}`);
  return rows;
}

/** What was asked by keys: all of a person's, and under each team's grants. */
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
      SELECT user_id, team_id, sum(requests) AS requests, ${tokens} AS tokens, ${lastReceived} AS last_used
      ${usedIn(range)} AND api_key_id IS NOT NULL GROUP BY 1, 2
    )
    SELECT owners.*, ${asInstant(sql`last_used`)} AS "lastUsed",
      (SELECT sum(requests)::float8 FROM used) AS "totalRequests", (SELECT sum(tokens)::float8 FROM used) AS "totalTokens"
    FROM (${sql.join(parts, sql` UNION ALL `)}) owners
    ORDER BY ${largestBy(metric)}, type, id LIMIT ${limit}`);
  return rows;
}

/** By provider and day, in nano-dollars. */
export async function selectSpend(tx: TenantTransaction, range: DayRange) {
  const { rows } = await tx.execute<{
    date: string;
    providerKey: string | null;
    providerName: string | null;
    self: string;
    service: string;
  }>(sql`
    SELECT ${dateOf(range, sql`place`)} AS date, provider_key AS "providerKey", r.display_name AS "providerName", self, service
    FROM (
      SELECT ${dayOf(range)} AS place, provider_key, sum(user_llm_nano_usd)::text AS self,
        sum(company_llm_nano_usd)::text AS service
      ${usedIn(range)} AND cost_nano_usd <> 0 GROUP BY 1, 2
    ) spent LEFT JOIN provider_registry r USING (provider_key)
    ORDER BY place, provider_key`);
  return rows;
}
