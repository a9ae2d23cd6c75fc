import type { BudgetReplay, createBudgetBody } from '@sluice/contract';
import { eq, sql } from 'drizzle-orm';
import type { z } from 'zod';
import { filterUsage } from '#console/analytics/used-by.ts';
import { tenants } from '#db/schema/tenants.ts';
import type { TenantTransaction } from '#db/tenant.ts';
import { parseBlacklistPattern } from '#domain/access/blacklist.ts';
import { createBudgetReplay, type ReplayedRequest } from '#domain/allowance/replay-budget.ts';
import { budgetKinds, countsRequests } from '#domain/allowance/window.ts';
import type { Author } from '#domain/principal.ts';
import { invalidField } from '#errors/console-error.ts';
import { selectPayingKeys, selectUserNames } from './store.ts';
import { showAmount, toAmount, toSubjectColumns } from './terms.ts';

type NewBudget = z.output<typeof createBudgetBody>;

interface ServedLog extends Record<string, unknown> {
  readonly userId: number | null;
  readonly atMs: number;
  readonly model: string;
  readonly requested: string;
  readonly amount: number;
  readonly endedAtMs: number;
}

const pageRows = 5_000;
/** Bounds the time of one replay. */
const requestsMax = 500_000;
const listedMax = 50;

const amounts = {
  usd: sql`coalesce(cost_nano_usd, 0)`,
  tokens: sql`prompt_tokens + completion_tokens`,
  requests: sql`1`,
  parallel_requests: sql`1`,
} as const;

/** Yields the served requests that a budget would have counted, in order of admission, a few thousand at a time. */
async function* readServedLogs(
  tx: TenantTransaction,
  tenantId: number,
  budget: NewBudget,
  days: number,
): AsyncGenerator<ServedLog> {
  const columns = toSubjectColumns(budget);
  const ofSubject = filterUsage({
    userId: columns.userId ?? undefined,
    teamIds: columns.teamId === null ? undefined : [columns.teamId],
    taskId: columns.taskId ?? undefined,
    apiKeyIds: columns.apiKeyId === null ? undefined : await selectPayingKeys(tx, columns.apiKeyId),
  });
  const ofProvider =
    columns.llmProviderId === null ? sql`` : sql` AND llm_provider_id = ${columns.llmProviderId}`;
  // A token count is a request without tokens; it has no attempt if the gateway counted.
  const counted = countsRequests(budgetKinds[budget.measure])
    ? sql`(attempts > 0 OR operation = 'tokens.count' AND status = 'success')`
    : sql`attempts > 0 AND operation <> 'tokens.count'`;
  const since = budget.starts_at ? sql` AND received_at >= ${budget.starts_at}::timestamptz` : sql``;
  await tx.execute(sql`DECLARE served_logs NO SCROLL CURSOR FOR
    SELECT user_id AS "userId", floor(extract(epoch FROM received_at) * 1000)::float8 AS "atMs",
      coalesce(model, '') AS model, coalesce(model_requested, model, '') AS requested,
      (${amounts[budget.measure]})::float8 AS amount,
      (extract(epoch FROM received_at) * 1000 + response_time_ms)::float8 AS "endedAtMs"
    FROM request_logs
    WHERE tenant_id = ${tenantId} AND id >= uuid_floor(now() - make_interval(days => ${days}::integer))
      AND status <> 'refused' AND ${counted}${ofSubject}${ofProvider}${since}
    ORDER BY received_at, id LIMIT ${requestsMax}`);
  while (true) {
    const { rows } = await tx.execute<ServedLog>(sql.raw(`FETCH ${pageRows} FROM served_logs`));
    yield* rows;
    if (rows.length < pageRows) return;
  }
}

/** Returns which requests of the last days a new budget would have rejected. Changes nothing. */
export async function replayBudget(
  tx: TenantTransaction,
  { tenantId }: Author,
  { budget, days }: { readonly budget: NewBudget; readonly days: number },
): Promise<BudgetReplay> {
  if (budget.subject_type === 'team_member')
    throw invalidField(
      'budget.subject_type',
      'A default cannot be replayed. Use /admin/budget-defaults/preview instead.',
    );
  const parsed = budget.model_pattern ? parseBlacklistPattern(budget.model_pattern) : null;
  if (parsed && !parsed.ok) throw invalidField('budget.model_pattern', parsed.problem);
  const fits = (log: ServedLog) =>
    !parsed?.ok ||
    parsed.pattern.fits(log.model.toLowerCase()) ||
    parsed.pattern.fits(log.requested.toLowerCase());
  const [tenant] = await tx
    .select({ timeZone: tenants.timeZone })
    .from(tenants)
    .where(eq(tenants.id, tenantId));
  const startsAtMs = budget.starts_at == null ? null : Date.parse(budget.starts_at);
  const limit = toAmount(budget.measure, budget.limit);
  const replay = createBudgetReplay(limit, { unit: budget.window, startsAtMs }, tenant?.timeZone ?? 'UTC');
  let read = 0;
  for await (const log of readServedLogs(tx, tenantId, budget, days)) {
    read++;
    if (fits(log)) replay.add(log satisfies ReplayedRequest);
  }
  return describeReplay(tx, budget, replay.list(), read < requestsMax);
}

async function describeReplay(
  tx: TenantTransaction,
  { measure }: Pick<NewBudget, 'measure'>,
  result: ReturnType<ReturnType<typeof createBudgetReplay>['list']>,
  isComplete: boolean,
): Promise<BudgetReplay> {
  const listed = result.users.slice(0, listedMax);
  const names = await selectUserNames(
    tx,
    listed.map(({ userId }) => userId),
  );
  const show = (ms: number) => (Number.isFinite(ms) ? new Date(ms).toISOString() : null);
  return {
    requests: result.requests,
    refused: result.refused,
    refused_amount: showAmount(measure, result.refusedAmount),
    first_refused_at: result.firstRefusedAtMs === null ? null : show(result.firstRefusedAtMs),
    is_complete: isComplete,
    refusing_periods: result.periods.length,
    users: listed.map(({ refused, requests, userId }) => ({
      user_id: userId,
      user_name: names.get(userId)?.name ?? '',
      user_email: names.get(userId)?.email ?? '',
      requests,
      refused,
    })),
  };
}
