import { type SQL, sql } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import type {
  AwaitedRequest,
  FailedInstance,
  FoundRequest,
  RequestLog,
  TailFilter,
  TailRow,
} from '../request-log.ts';
import { deleteExpired, deleteOfUser } from './delete-rows.ts';
import { findExisting, findPlaced, hasAllRows, listObjectsOfUser } from './placed-rows.ts';
import { PostgresLog } from './postgres-log.ts';
import { ReplicaLog } from './replica-log.ts';

export const postgresRequestLog: RequestLog = {
  openTenant: (tx, tenantId, reports) =>
    reports === tx ? new PostgresLog(tx, tenantId) : new ReplicaLog(tx, reports, tenantId),
  deleteExpired,
  deleteOfUser,
  listObjectsOfUser,
  findPlaced,
  findExisting,
  hasAllRows,
  findAwaited,
  listRecovered,
  selectNewest,
  // The job `index-log-texts` builds the indexes of PostgreSQL.
  indexDays: async () => 0,
  close: async () => {},
};

async function findAwaited(
  database: NodePgDatabase,
  awaited: readonly AwaitedRequest[],
): Promise<FoundRequest[]> {
  const { rows } = await database.execute<
    Record<string, unknown> & Omit<FoundRequest, 'costNanoUsd'> & { cost: string | null }
  >(sql`
    SELECT log.id, log.tenant_id AS "tenantId", log.client_request_id AS "clientRequestId", log.cost_nano_usd::text AS cost,
      log.intent_classification AS intent, log.response_time_ms AS "responseTimeMs",
      log.prompt_tokens + log.completion_tokens AS "totalTokens"
    FROM jsonb_to_recordset(${JSON.stringify(awaited)}::jsonb)
        AS asked ("tenantId" integer, "clientRequestId" text, since timestamptz, until timestamptz)
      JOIN request_logs log ON log.tenant_id = asked."tenantId" AND log.client_request_id = asked."clientRequestId"
        AND log.id >= uuid_floor(asked.since) AND log.id < uuid_floor(asked.until)`);
  return rows.map(({ cost, ...row }) => ({ ...row, costNanoUsd: cost === null ? null : BigInt(cost) }));
}

async function listRecovered<Failed extends FailedInstance>(
  database: NodePgDatabase,
  failed: readonly Failed[],
): Promise<Failed[]> {
  const { rows } = await database.execute<{ place: number }>(sql`
    SELECT asked.place::integer - 1 AS place
    FROM ROWS FROM (jsonb_to_recordset(${JSON.stringify(failed)}::jsonb)
        AS ("llmProviderId" integer, "tenantId" integer, "seenAt" timestamptz))
      WITH ORDINALITY asked (llm_provider_id, tenant_id, seen_at, place)
    WHERE EXISTS (SELECT FROM request_logs l WHERE l.tenant_id = asked.tenant_id AND l.id >= uuid_floor(asked.seen_at)
      AND l.llm_provider_id = asked.llm_provider_id AND l.status = 'success')`);
  const places = new Set(rows.map(({ place }) => place));
  return failed.filter((_, place) => places.has(place));
}

async function selectNewest(
  database: NodePgDatabase,
  { email, tenantSlug, model, status }: TailFilter,
  limit: number,
): Promise<TailRow[]> {
  const is = (column: SQL, value: string | undefined) =>
    sql`(${value ?? null}::text IS NULL OR ${column} = ${value ?? null})`;
  const { rows } = await database.execute<TailRow & Record<string, unknown>>(sql`SELECT * FROM (
    SELECT l.id, to_json(l.received_at) #>> '{}' AS received_at, t.slug AS tenant, u.email,
      l.provider_instance_name AS provider, coalesce(l.model, l.model_requested) AS model, l.status, l.http_status,
      l.error_code, l.prompt_tokens, l.completion_tokens, l.response_time_ms
    FROM request_logs l JOIN tenants t ON t.id = l.tenant_id LEFT JOIN users u ON u.id = l.user_id
    WHERE ${is(sql`u.email`, email)} AND ${is(sql`t.slug`, tenantSlug)} AND ${is(sql`l.status`, status)}
      AND ${is(sql`coalesce(l.model, l.model_requested)`, model)}
    ORDER BY l.id DESC LIMIT ${limit}) newest ORDER BY id`);
  return rows;
}
