import { and, count, desc, eq, type SQL, sql } from 'drizzle-orm';
import { apiKeys } from '#db/schema/api-keys.ts';
import { intentCorrections } from '#db/schema/intent-corrections.ts';
import { requestLogBodies } from '#db/schema/request-log-bodies.ts';
import { requestLogs } from '#db/schema/request-logs.ts';
import { tasks } from '#db/schema/tasks.ts';
import { users } from '#db/schema/users.ts';
import type { TenantTransaction } from '#db/tenant.ts';
import { totalCountMax } from '#domain/total-count.ts';

const logColumns = {
  id: requestLogs.id,
  receivedAt: requestLogs.receivedAt,
  userId: requestLogs.userId,
  userName: users.name,
  userEmail: users.email,
  taskId: requestLogs.taskId,
  taskTitle: tasks.title,
  model: requestLogs.model,
  status: requestLogs.status,
  httpStatus: requestLogs.httpStatus,
  errorCode: requestLogs.errorCode,
  errorMessage: requestLogs.errorMessage,
  responseTimeMs: requestLogs.responseTimeMs,
  firstByteMs: requestLogs.firstByteMs,
  promptTokens: requestLogs.promptTokens,
  completionTokens: requestLogs.completionTokens,
  usageSource: requestLogs.usageSource,
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

/** Rows with their texts cut to `textMax` characters, or whole. */
function selectLogs(tx: TenantTransaction, textMax?: number) {
  const text = (column: typeof requestLogBodies.prompt | typeof requestLogBodies.response) =>
    textMax === undefined ? sql<string | null>`${column}` : sql<string | null>`left(${column}, ${textMax})`;
  return tx
    .select({
      ...logColumns,
      prompt: text(requestLogBodies.prompt),
      response: text(requestLogBodies.response),
    })
    .from(requestLogs)
    .leftJoin(requestLogBodies, eq(requestLogBodies.id, requestLogs.id))
    .leftJoin(users, eq(users.id, requestLogs.userId))
    .leftJoin(tasks, eq(tasks.id, requestLogs.taskId))
    .leftJoin(apiKeys, eq(apiKeys.id, requestLogs.apiKeyId))
    .leftJoin(intentCorrections, eq(intentCorrections.requestId, requestLogs.id));
}

export type LogRow = Awaited<ReturnType<typeof selectLogs>>[number];

/** Whether there is anything to read of what was asked and answered. */
export function hasText({ prompt, response }: LogRow): boolean {
  return prompt !== null || response !== null;
}

export async function findLog(tx: TenantTransaction, tenantId: number, id: string) {
  const [row] = await selectLogs(tx).where(and(eq(requestLogs.tenantId, tenantId), eq(requestLogs.id, id)));
  return row;
}

/** A page of the rows that a condition holds for, newest first; only these rows are joined with their texts. */
export function selectLogPage(
  tx: TenantTransaction,
  condition: SQL | undefined,
  { skip, limit, textMax }: { skip: number; limit: number; textMax: number },
): Promise<LogRow[]> {
  const page = tx
    .select({ id: requestLogs.id })
    .from(requestLogs)
    .where(condition)
    .orderBy(desc(requestLogs.id))
    .offset(skip)
    .limit(limit)
    .as('page');
  return selectLogs(tx, textMax).innerJoin(page, eq(page.id, requestLogs.id)).orderBy(desc(requestLogs.id));
}

/** How many rows a condition holds for, counted one above the maximum at most. */
export async function countLogs(tx: TenantTransaction, condition: SQL | undefined): Promise<number> {
  const counted = tx
    .select({ id: requestLogs.id })
    .from(requestLogs)
    .where(condition)
    .limit(totalCountMax + 1)
    .as('counted');
  const [row] = await tx.select({ total: count() }).from(counted);
  return row?.total ?? 0;
}
