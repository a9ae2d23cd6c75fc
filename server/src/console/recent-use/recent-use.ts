import { type RecentUse, recentRequestsMax, type recentUseRoutes } from '@sluice/contract';
import { and, desc, eq, inArray, isNotNull, ne, type SQL, sql } from 'drizzle-orm';
import type { z } from 'zod';
import { requestLogs } from '#db/schema/request-logs.ts';
import type { TenantTransaction } from '#db/tenant.ts';
import { parseBlacklistPattern } from '#domain/access/blacklist.ts';
import type { Principal } from '#domain/principal.ts';

type Subject = z.output<typeof recentUseRoutes.getRecentUse.request.query>;

/** Counts the newest requests of the last 24 hours that used the subject, for the confirmation before it is removed. */
export async function getRecentUse(
  tx: TenantTransaction,
  { tenantId }: Principal,
  subject: Subject,
): Promise<RecentUse> {
  const models = subject.model_pattern && (await findModels(tx, tenantId, subject, subject.model_pattern));
  const used = tx
    .select({ userId: requestLogs.userId, receivedAt: requestLogs.receivedAt })
    .from(requestLogs)
    .where(
      and(
        recent(tenantId),
        ...conditionsOf(subject),
        models ? inArray(requestLogs.model, models) : undefined,
      ),
    )
    .orderBy(desc(requestLogs.id))
    .limit(recentRequestsMax + 1)
    .as('used');
  const [row] = await tx
    .select({
      requests: sql<number>`count(*)::integer`,
      users: sql<number>`count(DISTINCT ${used.userId})::integer`,
      last: sql<Date | null>`max(${used.receivedAt})`.mapWith(used.receivedAt),
    })
    .from(used);
  const { requests = 0, users = 0, last = null } = row ?? {};
  return {
    requests: Math.min(requests, recentRequestsMax),
    is_exact: requests <= recentRequestsMax,
    users,
    last_request_at: last?.toISOString() ?? null,
  };
}

/** Matches the rows of the last 24 hours that reached a provider. */
const recent = (tenantId: number) =>
  and(
    eq(requestLogs.tenantId, tenantId),
    sql`${requestLogs.id} >= uuid_floor(now() - interval '24 hours')`,
    ne(requestLogs.status, 'refused'),
  );

function conditionsOf(subject: Subject): (SQL | undefined)[] {
  return [
    subject.user_id && inArray(requestLogs.userId, subject.user_id),
    subject.team_id && inArray(requestLogs.teamId, subject.team_id),
    subject.task_id && inArray(requestLogs.taskId, subject.task_id),
    subject.api_key_id && inArray(requestLogs.apiKeyId, subject.api_key_id),
    subject.llm_provider_id && inArray(requestLogs.llmProviderId, subject.llm_provider_id),
    subject.provider_key === undefined ? undefined : eq(requestLogs.providerKey, subject.provider_key),
  ];
}

/** Returns the recently used models that a blacklist pattern matches. */
async function findModels(
  tx: TenantTransaction,
  tenantId: number,
  subject: Subject,
  pattern: string,
): Promise<string[]> {
  const used = tx
    .select({ model: requestLogs.model })
    .from(requestLogs)
    .where(and(recent(tenantId), ...conditionsOf(subject), isNotNull(requestLogs.model)))
    .limit(recentRequestsMax)
    .as('used');
  const rows = await tx.selectDistinct({ model: used.model }).from(used);
  const parsed = parseBlacklistPattern(pattern);
  const isMatch = (model: string | null): model is string =>
    model !== null && parsed.ok && parsed.pattern.fits(model.toLowerCase());
  return rows.map(({ model }) => model).filter(isMatch);
}
