import { sql } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import { filterLabel, filterUsage } from '#db/filter-usage.ts';
import type {
  DrilledRequests,
  InstanceLatency,
  ProviderSums,
  RefusalCount,
} from '#domain/request-log/log-rows.ts';
import type { RefusalRange } from '#domain/request-log/tenant-log.ts';

export async function countRefusals(
  tx: NodePgDatabase,
  tenantId: number,
  range: RefusalRange,
): Promise<RefusalCount[]> {
  const { from, end } = range;
  const { rows } = await tx.execute<RefusalCount & Record<string, unknown>>(sql`
    SELECT (${range.firstDay}::date + place - 1)::text AS date, reason, count, rows FROM (
      SELECT ${dayOfRow(range)} AS place, coalesce(error_code, 'refused') AS reason, sum(repeats)::float8 AS count,
        count(*)::float8 AS rows
      FROM request_logs
      WHERE tenant_id = ${tenantId} ${filterUsage(range)}${filterLabel(range)} AND status = 'refused'
        AND id >= uuid_floor(${from}::timestamptz) AND id < uuid_floor(${end}::timestamptz)
      GROUP BY 1, 2
    ) refused ORDER BY count DESC, place, reason`);
  return rows;
}

/** Position of the row's day in the range. Derived from the id, like in the day filter of the log. */
const dayOfRow = ({ firstDay, lastDay, timeZone }: RefusalRange) => sql`width_bucket(id, (
  SELECT array_agg(uuid_floor(day AT TIME ZONE ${timeZone}) ORDER BY day)
  FROM generate_series(${firstDay}::timestamp, ${lastDay}::timestamp, '1 day') day
))`;

export async function selectLatencies(
  tx: NodePgDatabase,
  tenantId: number,
  rowsMax: number,
): Promise<InstanceLatency[]> {
  const { rows } = await tx.execute<InstanceLatency & Record<string, unknown>>(sql`
    SELECT llm_provider_id AS id, to_json(max(received_at) AT TIME ZONE 'UTC') #>> '{}' || 'Z' AS "lastSuccessAt",
      percentile_cont(0.5) WITHIN GROUP (ORDER BY response_time_ms) AS p50,
      percentile_cont(0.95) WITHIN GROUP (ORDER BY response_time_ms) AS p95
    FROM (
      SELECT llm_provider_id, received_at, response_time_ms, status FROM request_logs
      WHERE tenant_id = ${tenantId} AND id >= uuid_floor(now() - interval '24 hours')
      ORDER BY id DESC LIMIT ${rowsMax}
    ) latest
    WHERE status = 'success' AND llm_provider_id IS NOT NULL
    GROUP BY llm_provider_id`);
  return rows;
}

export async function sumByProvider(
  tx: NodePgDatabase,
  tenantId: number,
  days: number,
): Promise<ProviderSums[]> {
  const { rows } = await tx.execute<ProviderSums & Record<string, unknown>>(sql`
    SELECT l.provider_key AS "providerKey", r.display_name AS "providerName", count(*) AS requests,
      COALESCE(sum(l.prompt_tokens::bigint + l.completion_tokens), 0) AS tokens,
      COALESCE(sum(l.cost_nano_usd) FILTER (WHERE NOT l.is_service_managed), 0) AS self,
      COALESCE(sum(l.cost_nano_usd) FILTER (WHERE l.is_service_managed), 0) AS service
    FROM request_logs l LEFT JOIN provider_registry r ON r.provider_key = l.provider_key
    WHERE l.tenant_id = ${tenantId} AND l.status <> 'refused' AND l.id >= uuid_floor(now() - make_interval(days => ${days}))
    GROUP BY l.provider_key, r.display_name ORDER BY COALESCE(sum(l.cost_nano_usd), 0) DESC, l.provider_key`);
  return rows;
}

/** Uses the index of the tenant's rows and skips requests rejected before they were sent to the provider. */
const ofInstance = (tenantId: number, id: number, since: Date) => sql`
  tenant_id = ${tenantId} AND id >= uuid_floor(${since.toISOString()}::timestamptz) AND llm_provider_id = ${id}
  AND status <> 'refused'`;

export async function countDrilled(
  tx: NodePgDatabase,
  tenantId: number,
  id: number,
  since: Date,
  rowsMax: number,
): Promise<number> {
  const { rows } = await tx.execute<{ total: number }>(sql`
    SELECT count(*)::int AS total FROM (
      SELECT FROM request_logs WHERE ${ofInstance(tenantId, id, since)} LIMIT ${rowsMax}
    ) counted`);
  return rows[0]?.total ?? 0;
}

export async function selectDrilled(
  tx: NodePgDatabase,
  tenantId: number,
  id: number,
  since: Date,
  rowsMax: number,
): Promise<DrilledRequests[]> {
  const { rows } = await tx.execute<DrilledRequests & Record<string, unknown>>(sql`
    SELECT user_id AS "userId", model_requested AS "modelRequested", model, operation, count(*)::int AS requests,
      coalesce(json_agg(json_build_object('input', prompt_tokens - cache_read_tokens - cache_write_tokens, 'cacheRead', cache_read_tokens,
        'cacheWrite', cache_write_tokens, 'output', completion_tokens, 'reasoning', reasoning_tokens,
        'cost', cost_nano_usd::text)) FILTER (WHERE cost_nano_usd IS NOT NULL), '[]') AS charged
    FROM (
      SELECT * FROM request_logs WHERE ${ofInstance(tenantId, id, since)} ORDER BY id DESC LIMIT ${rowsMax}
    ) latest
    GROUP BY user_id, model_requested, model, operation`);
  return rows;
}

export async function countOldRows(
  tx: NodePgDatabase,
  tenantId: number,
  before: Date,
  countMax: number,
): Promise<number> {
  const { rows } = await tx.execute<{ count: number }>(
    sql`SELECT count(*)::integer AS count FROM (
      SELECT FROM request_logs WHERE tenant_id = ${tenantId} AND id < ${floorOf(before)} LIMIT ${countMax}) old`,
  );
  return rows[0]?.count ?? 0;
}

export async function countOldBodies(
  tx: NodePgDatabase,
  tenantId: number,
  [from, before]: readonly [from: Date, before: Date],
  countMax: number,
): Promise<number> {
  const { rows } = await tx.execute<{ count: number }>(
    sql`SELECT count(*)::integer AS count FROM (
      SELECT FROM request_log_bodies
      WHERE tenant_id = ${tenantId} AND id >= ${floorOf(from)} AND id < ${floorOf(before)} LIMIT ${countMax}) old`,
  );
  return rows[0]?.count ?? 0;
}

const floorOf = (instant: Date) => sql`uuid_floor(${instant.toISOString()}::timestamptz)`;
