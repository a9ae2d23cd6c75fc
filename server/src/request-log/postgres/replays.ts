import { type SQL, sql } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import { filterLabel, filterUsage } from '#db/filter-usage.ts';
import type { ScoredLog, ServedLog } from '#domain/request-log/log-rows.ts';
import type { ServedFilter } from '#domain/request-log/tenant-log.ts';

const pageRows = 5_000;

async function* fetchAll<Row extends object>(
  tx: NodePgDatabase,
  cursor: 'counted_logs' | 'served_logs',
  query: SQL,
): AsyncGenerator<Row> {
  await tx.execute(sql`DECLARE ${sql.identifier(cursor)} NO SCROLL CURSOR FOR ${query}`);
  while (true) {
    const { rows } = await tx.execute(sql.raw(`FETCH ${pageRows} FROM ${cursor}`));
    // safe because the query selects the columns of a row
    yield* rows as unknown as Row[];
    if (rows.length < pageRows) return;
  }
}

export function readScored(tx: NodePgDatabase, tenantId: number, days: number): AsyncIterable<ScoredLog> {
  return fetchAll<ScoredLog>(
    tx,
    'counted_logs',
    sql`SELECT l.id, l.user_id, r.name AS role, (extract(epoch FROM l.received_at) * 1000)::float8 AS received_at_ms, l.status, l.http_status,
      l.error_code, l.repeats, l.intent_classification AS intent, l.confidence_score AS confidence, t.category,
      (jsonb_path_query_first(l.deviation_receipts, '$[*] ? (@.name == "wording").value'))::float8 AS wording
    FROM request_logs l JOIN users u ON u.id = l.user_id JOIN roles r ON r.id = u.role_id
      LEFT JOIN tasks t ON t.id = l.task_id
    WHERE l.tenant_id = ${tenantId} AND l.id >= uuid_floor(now() - make_interval(days => ${days}::integer))
      AND l.user_id IS NOT NULL AND l.user_score_after IS NOT NULL
    ORDER BY l.received_at, l.id`,
  );
}

const amounts = {
  usd: sql`coalesce(cost_nano_usd, 0)`,
  tokens: sql`prompt_tokens + completion_tokens`,
  requests: sql`1`,
  parallel_requests: sql`1`,
} as const;

export function readServed(
  tx: NodePgDatabase,
  tenantId: number,
  { amount, countsRequests, llmProviderId, since, days, limit, ...subject }: ServedFilter,
): AsyncIterable<ServedLog> {
  // A `tokens.count` request uses no tokens. It also has no attempts if the gateway itself counted the tokens.
  const counted = countsRequests
    ? sql`(attempts > 0 OR operation = 'tokens.count' AND status = 'success')`
    : sql`attempts > 0 AND operation <> 'tokens.count'`;
  const ofProvider = llmProviderId === null ? sql`` : sql` AND llm_provider_id = ${llmProviderId}`;
  const sinceStart = since === null ? sql`` : sql` AND received_at >= ${since}::timestamptz`;
  return fetchAll<ServedLog>(
    tx,
    'served_logs',
    sql`SELECT user_id AS "userId", floor(extract(epoch FROM received_at) * 1000)::float8 AS "atMs",
      coalesce(model, '') AS model, coalesce(model_requested, model, '') AS requested,
      (${amounts[amount]})::float8 AS amount,
      (extract(epoch FROM received_at) * 1000 + response_time_ms)::float8 AS "endedAtMs"
    FROM request_logs
    WHERE tenant_id = ${tenantId} AND id >= uuid_floor(now() - make_interval(days => ${days}::integer))
      AND status <> 'refused' AND ${counted}${filterUsage(subject)}${filterLabel(subject)}${ofProvider}${sinceStart}
    ORDER BY received_at, id LIMIT ${limit}`,
  );
}
