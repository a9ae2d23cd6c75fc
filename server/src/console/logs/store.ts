import type { LogFacets } from '@sluice/contract';
import { and, desc, eq, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import { apiKeys } from '#db/schema/api-keys.ts';
import { intentCorrections } from '#db/schema/governance.ts';
import { requestLogBodies, requestLogs } from '#db/schema/request-logs.ts';
import { tasks } from '#db/schema/tasks.ts';
import { users } from '#db/schema/users.ts';
import type { TenantTransaction } from '#db/tenant.ts';
import type { ChosenRows } from './chosen-rows.ts';

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

/** Returns the rows of these ids, newest first, with texts truncated to `textMax` characters or in full. */
export async function selectRows(
  tx: TenantTransaction,
  tenantId: number,
  ids: readonly string[],
  textMax?: number,
) {
  const text = (column: typeof requestLogBodies.prompt | typeof requestLogBodies.response) =>
    textMax === undefined ? sql<string | null>`${column}` : sql<string | null>`left(${column}, ${textMax})`;
  // Applied to both tables, so that the planner skips partitions without these ids.
  const isAsked = (column: PgColumn) => sql`${column} = ANY (${`{${ids.join()}}`}::uuid[])`;
  return tx
    .select({
      ...logColumns,
      prompt: text(requestLogBodies.prompt),
      response: text(requestLogBodies.response),
      promptPrivacy: requestLogBodies.promptPrivacy,
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

export type LogRow = Awaited<ReturnType<typeof selectRows>>[number];

/** Whether the row has any text of the request or response. */
export function hasText({ prompt, response }: LogRow): boolean {
  return prompt !== null || response !== null;
}

export async function findLog(tx: TenantTransaction, tenantId: number, id: string) {
  const [row] = await selectRows(tx, tenantId, [id]);
  return row;
}

interface Page {
  /** Only rows older than this one. */
  readonly before?: string | undefined;
  readonly skip: number;
  readonly limit: number;
  /** Maximum number of rows that are counted. */
  readonly countMax: number;
}

/** Returns the ids of a page of matching rows, newest first, and their number up to the maximum. */
export async function findPage(
  tx: TenantTransaction,
  chosen: ChosenRows,
  { before, skip, limit, countMax }: Page,
): Promise<{ ids: string[]; total: number }> {
  const most = Math.max(countMax, skip + limit);
  const { rows } = await tx.execute<{ ids: string[]; total: number }>(
    sql`WITH found AS MATERIALIZED (SELECT id FROM ${found({ ...chosen, before }, most)} id)
      SELECT (SELECT count(*)::integer FROM found) AS total,
        ARRAY(SELECT id FROM found ORDER BY id DESC OFFSET ${skip} LIMIT ${limit}) AS ids`,
  );
  return rows[0] ?? { ids: [], total: 0 };
}

/** Returns the set of ids of matching rows, the newest `most` of them. */
export function found(chosen: ChosenRows & { before?: string | undefined }, most: number) {
  return sql`find_request_logs(${JSON.stringify(chosen)}::jsonb, ${most})`;
}

export async function countRows(
  tx: TenantTransaction,
  chosen: ChosenRows,
  countMax: number,
): Promise<number> {
  const { rows } = await tx.execute<{ total: number }>(
    sql`SELECT count(*)::integer AS total FROM ${found(chosen, countMax)}`,
  );
  return rows[0]?.total ?? 0;
}

type FacetName = Exclude<keyof LogFacets, 'rows' | 'is_whole'>;

/** Counts the values of these columns in the newest matching rows, most frequent first. */
export async function countFacets(
  tx: TenantTransaction,
  tenantId: number,
  chosen: ChosenRows,
  rowsMax: number,
): Promise<{ facet: FacetName; value: string; count: number }[]> {
  const { rows } = await tx.execute<{ facet: FacetName; value: string; count: number }>(
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
