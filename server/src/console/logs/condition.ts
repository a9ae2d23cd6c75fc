import { admittedLogs, type logFilters, notClassified } from '@sluice/contract';
import { and, eq, exists, gte, ilike, isNotNull, isNull, lt, ne, or, type SQL, sql } from 'drizzle-orm';
import type { z } from 'zod';
import { requestLogBodies } from '#db/schema/request-log-bodies.ts';
import { requestLogs } from '#db/schema/request-logs.ts';
import { tenants } from '#db/schema/tenants.ts';
import type { TenantTransaction } from '#db/tenant.ts';
import { containsPattern } from '#domain/like-pattern.ts';

export type LogFilters = z.output<z.ZodObject<typeof logFilters>>;

/** What a row must fulfil to pass the filters; dates count only when both are given. */
export async function logCondition(
  tx: TenantTransaction,
  tenantId: number,
  filters: LogFilters,
): Promise<SQL | undefined> {
  const { start_date: from, end_date: to } = filters;
  const days = from && to ? await selectIdBounds(tx, tenantId, from, to) : undefined;
  const given = <Value>(value: Value | undefined, toCondition: (value: Value) => SQL | undefined) =>
    value === undefined || value === '' ? undefined : toCondition(value);
  return and(
    eq(requestLogs.tenantId, tenantId),
    given(filters.user_id, (userId) => eq(requestLogs.userId, userId)),
    given(filters.task_id, (taskId) => eq(requestLogs.taskId, taskId)),
    given(filters.status, (status) =>
      status === admittedLogs ? ne(requestLogs.status, 'refused') : eq(requestLogs.status, status),
    ),
    given(filters.intent_classification, (intent) =>
      intent === notClassified
        ? isNull(requestLogs.intentClassification)
        : eq(requestLogs.intentClassification, intent),
    ),
    given(filters.model, (model) => eq(requestLogs.model, model)),
    given(filters.provider_key, (key) => eq(requestLogs.providerKey, key)),
    given(filters.team_id, (teamId) => eq(requestLogs.teamId, teamId)),
    given(filters.error_code, (code) => eq(requestLogs.errorCode, code)),
    given(filters.by_api_key, (isByKey) => (isByKey ? isNotNull : isNull)(requestLogs.apiKeyId)),
    given(days, ({ first, end }) => and(gte(requestLogs.id, first), lt(requestLogs.id, end))),
    given(filters.search, (text) => exists(selectBodiesWith(tx, text))),
  );
}

function selectBodiesWith(tx: TenantTransaction, text: string) {
  const pattern = containsPattern(text);
  return tx
    .select({ id: requestLogBodies.id })
    .from(requestLogBodies)
    .where(
      and(
        eq(requestLogBodies.id, requestLogs.id),
        or(ilike(requestLogBodies.prompt, pattern), ilike(requestLogBodies.response, pattern)),
      ),
    );
}

/** The ids of the requests received from the first day through the last, by the tenant's calendar. */
async function selectIdBounds(tx: TenantTransaction, tenantId: number, from: string, to: string) {
  const startOf = (day: SQL) => sql<string>`uuid_floor((${day})::timestamp AT TIME ZONE ${tenants.timeZone})`;
  const [bounds] = await tx
    .select({
      first: startOf(sql`${fromEpoch(from)}::date`),
      end: startOf(sql`${fromEpoch(to)}::date + 1`),
    })
    .from(tenants)
    .where(eq(tenants.id, tenantId));
  return bounds;
}

/** No id is older than the epoch, in no time zone. */
function fromEpoch(day: string): string {
  return day < '1970-01-02' ? '1970-01-02' : day;
}
