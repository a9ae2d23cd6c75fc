import { and, desc, eq, sql } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import type { PgColumn } from 'drizzle-orm/pg-core';
import { apiKeys } from '#db/schema/api-keys.ts';
import { intentCorrections } from '#db/schema/governance.ts';
import { requestLogBodies, requestLogs } from '#db/schema/request-logs.ts';
import { tasks } from '#db/schema/tasks.ts';
import { users } from '#db/schema/users.ts';
import type { BodyPlace } from '#domain/request-log/body-place.ts';
import type { ChosenRows, LogPage } from '#domain/request-log/chosen-rows.ts';
import type { FacetCount, LogRow, LogSums } from '#domain/request-log/log-rows.ts';

const { bodyObject, bodyOffset, bodyLength, isCut } = requestLogBodies;

/** Location of a row's texts in object storage; `null` if the texts are in the row. */
export const bodyPlace = sql<BodyPlace | null>`CASE WHEN ${bodyObject} IS NOT NULL THEN json_build_object(
  'object', ${bodyObject}, 'offset', ${bodyOffset}, 'length', ${bodyLength}, 'isCut', coalesce(${isCut}, false)) END`;

const logColumns = {
  id: requestLogs.id,
  receivedAt: requestLogs.receivedAt,
  userId: requestLogs.userId,
  userName: users.name,
  userEmail: users.email,
  taskId: requestLogs.taskId,
  taskTitle: tasks.title,
  labels: requestLogs.labels,
  modelRequested: requestLogs.modelRequested,
  model: requestLogs.model,
  downgradedByBudgetId: requestLogs.downgradedByBudgetId,
  status: requestLogs.status,
  httpStatus: requestLogs.httpStatus,
  errorCode: requestLogs.errorCode,
  errorMessage: requestLogs.errorMessage,
  responseTimeMs: requestLogs.responseTimeMs,
  firstByteMs: requestLogs.firstByteMs,
  promptTokens: requestLogs.promptTokens,
  completionTokens: requestLogs.completionTokens,
  cacheReadTokens: requestLogs.cacheReadTokens,
  cacheWriteTokens: requestLogs.cacheWriteTokens,
  reasoningTokens: requestLogs.reasoningTokens,
  usageSource: requestLogs.usageSource,
  costNanoUsd: requestLogs.costNanoUsd,
  price: requestLogs.price,
  providerCalls: requestLogs.providerCalls,
  repeats: requestLogs.repeats,
  isStream: requestLogs.isStream,
  providerKey: requestLogs.providerKey,
  providerInstanceName: requestLogs.providerInstanceName,
  apiKeyName: apiKeys.name,
  clientRequestId: requestLogs.clientRequestId,
  intentClassification: requestLogs.intentClassification,
  confidenceScore: requestLogs.confidenceScore,
  correctedIntent: intentCorrections.intent,
  userScoreBefore: requestLogs.userScoreBefore,
  userScoreAfter: requestLogs.userScoreAfter,
  deviationScoreDelta: requestLogs.deviationScoreDelta,
  deviationReceipts: requestLogs.deviationReceipts,
};

export function selectRows(
  tx: NodePgDatabase,
  tenantId: number,
  ids: readonly string[],
  textMax?: number,
): Promise<LogRow[]> {
  const text = (column: typeof requestLogBodies.prompt | typeof requestLogBodies.response) =>
    textMax === undefined ? sql<string | null>`${column}` : sql<string | null>`left(${column}, ${textMax})`;
  // Apply the condition to both tables, so that the planner skips partitions without these ids.
  const isAsked = (column: PgColumn) => sql`${column} = ANY (${`{${ids.join()}}`}::uuid[])`;
  return tx
    .select({
      ...logColumns,
      prompt: text(requestLogBodies.prompt),
      response: text(requestLogBodies.response),
      promptPrivacy: requestLogBodies.promptPrivacy,
      bodyPlace,
    })
    .from(requestLogs)
    .leftJoin(requestLogBodies, and(eq(requestLogBodies.id, requestLogs.id), isAsked(requestLogBodies.id)))
    .leftJoin(users, eq(users.id, requestLogs.userId))
    .leftJoin(tasks, eq(tasks.id, requestLogs.taskId))
    .leftJoin(apiKeys, eq(apiKeys.id, requestLogs.apiKeyId))
    .leftJoin(intentCorrections, eq(intentCorrections.requestId, requestLogs.id))
    .where(and(eq(requestLogs.tenantId, tenantId), isAsked(requestLogs.id)))
    .orderBy(desc(requestLogs.id));
}

export async function findPage(
  tx: NodePgDatabase,
  chosen: ChosenRows,
  { before, skip, limit, countMax }: LogPage,
): Promise<{ ids: string[]; total: number }> {
  const most = Math.max(countMax, skip + limit);
  const { rows } = await tx.execute<{ ids: string[]; total: number }>(
    sql`WITH found AS MATERIALIZED (SELECT id FROM ${found({ ...chosen, before }, most)} id)
      SELECT (SELECT count(*)::integer FROM found) AS total,
        ARRAY(SELECT id FROM found ORDER BY id DESC OFFSET ${skip} LIMIT ${limit}) AS ids`,
  );
  return rows[0] ?? { ids: [], total: 0 };
}

function found(chosen: ChosenRows & Pick<LogPage, 'before'>, most: number) {
  return sql`find_request_logs(${JSON.stringify(chosen)}::jsonb, ${most})`;
}

export async function countRows(tx: NodePgDatabase, chosen: ChosenRows, countMax: number): Promise<number> {
  const { rows } = await tx.execute<{ total: number }>(
    sql`SELECT count(*)::integer AS total FROM ${found(chosen, countMax)}`,
  );
  return rows[0]?.total ?? 0;
}

export async function countFacets(
  tx: NodePgDatabase,
  tenantId: number,
  chosen: ChosenRows,
  rowsMax: number,
): Promise<FacetCount[]> {
  const { rows } = await tx.execute<FacetCount & Record<string, unknown>>(
    sql`WITH found AS MATERIALIZED (SELECT array_agg(id) AS ids FROM ${found(chosen, rowsMax)} id),
      rows AS (
        SELECT status, model, provider_key, intent_classification, error_code, labels
        FROM request_logs, found WHERE tenant_id = ${tenantId} AND request_logs.id = ANY (found.ids)
      )
      SELECT facet, value, count(*)::integer AS count
      FROM rows CROSS JOIN LATERAL (
        SELECT 'label', pair.key || '=' || pair.value FROM jsonb_each_text(labels) pair
        UNION ALL VALUES ('status', status), ('model', model), ('provider_key', provider_key),
        ('intent_classification', intent_classification), ('error_code', error_code)) facets (facet, value)
      WHERE value IS NOT NULL GROUP BY facet, value ORDER BY count DESC, value`,
  );
  return rows;
}

export async function sumRows(
  tx: NodePgDatabase,
  tenantId: number,
  chosen: ChosenRows,
  rowsMax: number,
): Promise<LogSums> {
  const { rows } = await tx.execute<LogSums & Record<string, unknown>>(
    // The bounds restrict the join to partitions that contain the rows.
    sql`WITH matching AS MATERIALIZED (SELECT id FROM ${found(chosen, rowsMax + 1)} id),
      newest AS MATERIALIZED (SELECT id FROM matching ORDER BY id DESC LIMIT ${rowsMax}),
      bounds AS MATERIALIZED (SELECT min(id::text)::uuid AS first, max(id::text)::uuid AS last FROM newest)
    SELECT count(*)::integer AS requests, coalesce(sum(prompt_tokens + completion_tokens), 0)::float8 AS tokens,
      coalesce(sum(cost_nano_usd), 0)::text AS cost, (SELECT count(*) <= ${rowsMax} FROM matching) AS "isExact"
    FROM request_logs JOIN newest USING (id)
    WHERE tenant_id = ${tenantId} AND id >= (SELECT first FROM bounds) AND id <= (SELECT last FROM bounds)`,
  );
  return rows[0] ?? { requests: 0, tokens: 0, cost: '0', isExact: true };
}
