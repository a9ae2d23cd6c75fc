import type { KeyOwnerType, UsageMetric } from '@sluice/contract';
import { type SQL, sql } from 'drizzle-orm';
import type { TenantTransaction } from '#db/tenant.ts';
import { selectDeletedName } from './deleted-name.ts';
import type { DayRange } from './range.ts';
import { asInstant } from './store.ts';
import { labeledBy, usedBy } from './used-by.ts';

interface Ranking {
  readonly limit: number;
  readonly metric: UsageMetric;
}

/** Sums of a group. The cost in nano-dollars includes self-managed and service-managed instances. */
const sums = sql`sum(requests) AS requests, sum(tokens) AS tokens, sum(user_llm_nano_usd + company_llm_nano_usd) AS cost`;

/** Selects the sums of the relation `top` with types that convert to JavaScript. */
const measures = sql`top.requests::float8 AS requests, top.tokens::float8 AS tokens, top.cost::text AS cost`;

type Measures = Record<string, unknown> & { requests: number; tokens: number; cost: string };

const largestBy = (metric: UsageMetric): SQL =>
  ({
    requests: sql`top.requests DESC, top.tokens DESC`,
    tokens: sql`top.tokens DESC, top.requests DESC`,
    cost: sql`top.cost DESC, top.requests DESC, top.tokens DESC`,
  })[metric];

const percentageOf = (metric: UsageMetric): SQL => {
  const measure = { requests: sql`top.requests`, tokens: sql`top.tokens`, cost: sql`top.cost` }[metric];
  return sql`coalesce(${measure} * 100 / nullif(sum(${measure}) OVER (), 0), 0)::float8 AS percentage`;
};

export async function selectTopUsers(tx: TenantTransaction, range: DayRange, { limit, metric }: Ranking) {
  const { rows } = await tx.execute<
    Measures & { id: number; name: string | null; score: number | null; lastRequest: string }
  >(sql`
    SELECT top.id, u.name, ${measures}, top.score, ${asInstant(sql`top.last_request`)} AS "lastRequest"
    FROM (
      SELECT user_id AS id, ${sums}, sum(score_sum) / nullif(sum(scored_requests), 0)::float8 AS score,
        max(last_received_at) AS last_request
      ${usedBy([], range)} WHERE user_id IS NOT NULL GROUP BY user_id
    ) top LEFT JOIN users u ON u.id = top.id
    ORDER BY ${largestBy(metric)}, top.id LIMIT ${limit}`);
  return rows;
}

export async function selectTopTeams(tx: TenantTransaction, range: DayRange, { limit, metric }: Ranking) {
  const { rows } = await tx.execute<Measures & { id: number | null; name: string | null; users: number }>(sql`
    SELECT top.id, coalesce(t.name, ${selectDeletedName(range.tenantId, 'team', sql`top.id`)}) AS name, ${measures},
      top.users::float8 AS users
    FROM (
      SELECT team_id AS id, ${sums}, count(DISTINCT user_id) AS users
      ${usedBy(['team_id'], range)} GROUP BY team_id
    ) top LEFT JOIN teams t ON t.id = top.id
    ORDER BY ${largestBy(metric)}, top.id LIMIT ${limit}`);
  return rows;
}

export async function selectTopModels(tx: TenantTransaction, range: DayRange, { limit, metric }: Ranking) {
  const { rows } = await tx.execute<
    Measures & { model: string | null; providerKey: string | null; users: number; percentage: number }
  >(sql`
    SELECT top.model, top.provider_key AS "providerKey", ${measures}, top.users::float8 AS users, ${percentageOf(metric)}
    FROM (
      SELECT model, provider_key, count(user_id) AS users, sum(requests) AS requests, sum(tokens) AS tokens, sum(cost) AS cost
      FROM (SELECT model, provider_key, user_id, ${sums} ${usedBy(['model', 'provider_key'], range)} GROUP BY 1, 2, 3) used
      GROUP BY model, provider_key
    ) top
    ORDER BY ${largestBy(metric)}, top.model, top.provider_key LIMIT ${limit}`);
  return rows;
}

/** Percentages are shares of the metric's total over all requests with the label. */
export async function selectTopLabels(
  tx: TenantTransaction,
  range: DayRange,
  { limit, metric, name }: Ranking & { name: string },
) {
  const { rows } = await tx.execute<Measures & { value: string; users: number; percentage: number }>(sql`
    SELECT top.value, ${measures}, top.users::float8 AS users, ${percentageOf(metric)}
    FROM (
      SELECT labels->>${name} AS value, ${sums}, count(DISTINCT user_id) AS users
      ${labeledBy(range)} WHERE labels ? ${name} GROUP BY 1
    ) top
    ORDER BY ${largestBy(metric)}, top.value LIMIT ${limit}`);
  return rows;
}

const labelValuesMax = 50;

/** Labels are ordered by number of requests, each with its `labelValuesMax` most used values. */
export async function selectUsedLabels(tx: TenantTransaction, range: DayRange, limit: number) {
  const { rows } = await tx.execute<{ name: string; values: string[] }>(sql`
    SELECT name, array_agg(value ORDER BY place) AS values FROM (
      SELECT pair.key AS name, pair.value, sum(used.requests) AS requests,
        row_number() OVER (PARTITION BY pair.key ORDER BY sum(used.requests) DESC, pair.value) AS place
      ${labeledBy(range)} CROSS JOIN LATERAL jsonb_each_text(used.labels) pair GROUP BY 1, 2
    ) ranked
    WHERE place <= ${labelValuesMax} GROUP BY name ORDER BY sum(requests) DESC, name LIMIT ${limit}`);
  return rows;
}

/**
 * A request under a team's grant counts for both the user and the team. Percentages are shares of the metric's total
 * over all requests with API keys.
 */
export async function selectTopApiKeys(
  tx: TenantTransaction,
  range: DayRange,
  { limit, metric, breakdown }: Ranking & { breakdown: KeyOwnerType | undefined },
) {
  const ownersOf = (type: KeyOwnerType, id: SQL, names: SQL) => sql`
    SELECT ${type}::text AS type, ${id} AS id, n.name, sum(requests) AS requests, sum(tokens) AS tokens, sum(cost) AS cost,
      max(last_used) AS last_used
    FROM used LEFT JOIN ${names} n ON n.id = ${id} WHERE ${id} IS NOT NULL GROUP BY ${id}, n.name`;
  const parts = [
    ...(breakdown === 'team' ? [] : [ownersOf('user', sql`user_id`, sql`users`)]),
    ...(breakdown === 'user' ? [] : [ownersOf('team', sql`team_id`, sql`teams`)]),
  ];
  const measure = { requests: sql`requests`, tokens: sql`tokens`, cost: sql`cost` }[metric];
  const { rows } = await tx.execute<
    Measures & { type: KeyOwnerType; id: number; name: string | null; lastUsed: string; percentage: number }
  >(sql`
    WITH used AS (
      SELECT user_id, team_id, ${sums}, max(last_received_at) AS last_used
      ${usedBy(['team_id', 'api_key_id'], range)} WHERE api_key_id IS NOT NULL GROUP BY 1, 2
    )
    SELECT top.type, top.id,
      coalesce(top.name, CASE top.type WHEN 'team' THEN ${selectDeletedName(range.tenantId, 'team', sql`top.id`)} END) AS name,
      ${measures}, ${asInstant(sql`top.last_used`)} AS "lastUsed",
      coalesce(top.${measure} * 100 / nullif((SELECT sum(${measure}) FROM used), 0), 0)::float8 AS percentage
    FROM (${sql.join(parts, sql` UNION ALL `)}) top
    ORDER BY ${largestBy(metric)}, top.type, top.id LIMIT ${limit}`);
  return rows;
}
