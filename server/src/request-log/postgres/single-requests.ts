import { and, desc, eq, inArray, type SQL, sql } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import { requestLogBodies, requestLogs } from '#db/schema/request-logs.ts';
import type { BodyRow, OwnRow, RecentRequest, RequestFigures } from '#domain/request-log/log-rows.ts';
import { bodyPlace } from './lists.ts';

const isRow = (tenantId: number, id: string, userId?: number): SQL | undefined =>
  and(
    eq(requestLogs.tenantId, tenantId),
    eq(requestLogs.id, id),
    userId === undefined ? undefined : eq(requestLogs.userId, userId),
  );

export async function findBody(
  tx: NodePgDatabase,
  tenantId: number,
  id: string,
): Promise<BodyRow | undefined> {
  const [row] = await tx
    .select({
      prompt: requestLogBodies.prompt,
      text: requestLogBodies.requestBody,
      compressed: requestLogBodies.requestBodyZstd,
      bytes: requestLogBodies.requestBytes,
      sha256: requestLogBodies.requestSha256,
      promptPrivacy: requestLogBodies.promptPrivacy,
      bodyPlace,
    })
    .from(requestLogs)
    .leftJoin(requestLogBodies, eq(requestLogBodies.id, requestLogs.id))
    .where(isRow(tenantId, id));
  return row;
}

export async function findOwnRow(
  tx: NodePgDatabase,
  tenantId: number,
  id: string,
  userId: number,
): Promise<OwnRow | undefined> {
  const [row] = await tx
    .select()
    .from(requestLogs)
    .where(isRow(tenantId, id, userId));
  return row;
}

export async function findFigures(
  tx: NodePgDatabase,
  tenantId: number,
  id: string,
): Promise<RequestFigures | undefined> {
  const [row] = await tx
    .select({
      costNanoUsd: requestLogs.costNanoUsd,
      intent: requestLogs.intentClassification,
      responseTimeMs: requestLogs.responseTimeMs,
      totalTokens: sql<number>`${requestLogs.promptTokens} + ${requestLogs.completionTokens}`,
    })
    .from(requestLogs)
    .where(isRow(tenantId, id));
  return row;
}

export async function findPrompt(tx: NodePgDatabase, tenantId: number, id: string, userId?: number) {
  const [row] = await tx
    .select({ prompt: requestLogBodies.prompt, intent: requestLogs.intentClassification, bodyPlace })
    .from(requestLogs)
    .leftJoin(requestLogBodies, eq(requestLogBodies.id, requestLogs.id))
    .where(isRow(tenantId, id, userId));
  return row;
}

export function selectRecent(
  tx: NodePgDatabase,
  tenantId: number,
  userId: number,
  limit: number,
): Promise<RecentRequest[]> {
  const { promptTokens, completionTokens } = requestLogs;
  return tx
    .select({
      id: requestLogs.id,
      receivedAt: requestLogs.receivedAt,
      model: sql<string | null>`coalesce(${requestLogs.model}, ${requestLogs.modelRequested})`,
      status: requestLogs.status,
      error_code: requestLogs.errorCode,
      repeats: requestLogs.repeats,
      total_tokens: sql`${promptTokens} + ${completionTokens}`.mapWith(Number),
    })
    .from(requestLogs)
    .where(and(eq(requestLogs.tenantId, tenantId), eq(requestLogs.userId, userId)))
    .orderBy(desc(requestLogs.id))
    .limit(limit);
}

export async function findAnswered(tx: NodePgDatabase, tenantId: number, rowsMax: number) {
  const newest = tx
    .select({ id: requestLogs.id })
    .from(requestLogs)
    .where(eq(requestLogs.tenantId, tenantId))
    .orderBy(desc(requestLogs.id))
    .limit(rowsMax)
    .as('newest');
  const [row] = await tx
    .select({ id: requestLogs.id, receivedAt: requestLogs.receivedAt })
    .from(requestLogs)
    .innerJoin(newest, eq(newest.id, requestLogs.id))
    .where(
      and(
        eq(requestLogs.status, 'success'),
        inArray(requestLogs.operation, ['chat.completions', 'embeddings']),
      ),
    )
    .orderBy(desc(requestLogs.id))
    .limit(1);
  return row ?? null;
}
