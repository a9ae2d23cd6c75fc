import type { DeviationTimeline, KeyOwnerType } from '@sluice/contract';
import { type SQL, sql } from 'drizzle-orm';
import type { TenantTransaction } from '#db/tenant.ts';
import type { Principal } from '#domain/principal.ts';
import { selectDeletedName } from './deleted-name.ts';
import { type DayRange, listDays, readRange, type UsageQuery } from './range.ts';
import { asInstant } from './store.ts';
import { usedBy } from './used-by.ts';

interface DeviationRow extends Record<string, unknown> {
  id: number;
  name: string | null;
  totalRequests: number;
  totalScore: number;
  date: string;
  requests: number;
  score: number | null;
}

const owners = {
  user: { id: sql`user_id`, names: sql`users` },
  team: { id: sql`team_id`, names: sql`teams` },
} satisfies Record<KeyOwnerType, { id: SQL; names: SQL }>;

async function selectDeviation(
  tx: TenantTransaction,
  range: DayRange,
  { breakdown, limit }: { breakdown: KeyOwnerType; limit: number },
): Promise<DeviationRow[]> {
  const { id, names } = owners[breakdown];
  const deletedName =
    breakdown === 'team' ? selectDeletedName(range.tenantId, 'team', sql`highest.id`) : sql`NULL`;
  const mean = sql`sum(score_sum) / nullif(sum(scored), 0)::float8`;
  const { rows } = await tx.execute<DeviationRow>(sql`
    WITH used AS (
      SELECT ${id} AS id, day, sum(requests) AS requests, sum(scored_requests) AS scored,
        sum(score_sum) AS score_sum
      ${usedBy(breakdown === 'team' ? ['team_id'] : [], range)} WHERE ${id} IS NOT NULL GROUP BY 1, 2
    ), highest AS (
      SELECT id, sum(requests)::float8 AS "totalRequests", ${mean} AS "totalScore" FROM used
      GROUP BY id HAVING sum(scored) > 0 ORDER BY ${mean} DESC, id LIMIT ${limit}
    )
    SELECT id, coalesce(n.name, ${deletedName}) AS name, "totalRequests", "totalScore", day::text AS date, requests::float8 AS requests,
      score_sum / nullif(scored, 0)::float8 AS score
    FROM highest JOIN used USING (id) LEFT JOIN ${names} n USING (id)
    ORDER BY "totalScore" DESC, id, day`);
  return rows;
}

type DeviationEvent = DeviationTimeline['events'][number];

/**
 * Returns events in the range that may have changed scores: policy changes, and appeals of all users or of a single
 * user.
 */
async function selectDeviationEvents(
  tx: TenantTransaction,
  { tenantId, userId, timeZone, from, end }: DayRange,
): Promise<DeviationEvent[]> {
  const isIn = (at: SQL) => sql`${at} >= ${from}::timestamptz AND ${at} < ${end}::timestamptz`;
  const ofUser = userId === undefined ? sql`` : sql`AND user_id = ${userId}`;
  const { rows } = await tx.execute<DeviationEvent & Record<string, unknown>>(sql`
    SELECT events.kind, events.id::integer, (at AT TIME ZONE ${timeZone})::date::text AS date,
      ${asInstant(sql`at`)} AS timestamp, user_id, users.name AS user_name
    FROM (
      SELECT 'policy_changed' AS kind, id, created_at AS at, NULL::integer AS user_id FROM audit_entries
      WHERE tenant_id = ${tenantId} AND object_type = 'tenant' AND after ? 'deviation_policy' AND before IS NOT NULL
        AND ${isIn(sql`created_at`)}
      UNION ALL
      SELECT 'appeal_opened', id, created_at, user_id FROM appeals
      WHERE tenant_id = ${tenantId} ${ofUser} AND ${isIn(sql`created_at`)}
      UNION ALL
      SELECT 'appeal_' || status, id, decided_at, user_id FROM appeals
      WHERE tenant_id = ${tenantId} ${ofUser} AND status <> 'open' AND ${isIn(sql`decided_at`)}
    ) events LEFT JOIN users ON users.id = events.user_id AND users.tenant_id = ${tenantId}
    ORDER BY at, events.kind, events.id`);
  return rows;
}

/** Daily scores are means of `user_score_after`, as in the list of top users. */
export async function getDeviationTimeline(
  tx: TenantTransaction,
  author: Principal,
  query: UsageQuery & { breakdown: KeyOwnerType; limit: number },
): Promise<DeviationTimeline> {
  const range = await readRange(tx, author.tenantId, query);
  const rows = await selectDeviation(tx, range, query);
  return {
    dates: listDays(range),
    series: [...Map.groupBy(rows, ({ id }) => id)].flatMap(([id, days]) =>
      days.slice(0, 1).map((first) => ({
        entity_id: id,
        entity_name: first.name ?? `${query.breakdown === 'user' ? 'User' : 'Team'} #${id}`,
        entity_type: query.breakdown,
        requests: first.totalRequests,
        average_deviation_score: first.totalScore,
        days: days.map(({ date, requests, score }) => ({ date, requests, average_deviation_score: score })),
      })),
    ),
    events: await selectDeviationEvents(tx, range),
  };
}
