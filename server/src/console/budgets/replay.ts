import type { BudgetReplay, createBudgetBody } from '@sluice/contract';
import { eq } from 'drizzle-orm';
import type { z } from 'zod';
import { tenants } from '#db/schema/tenants.ts';
import type { LogTransaction, TenantTransaction } from '#db/tenant.ts';
import { parseBlacklistPattern } from '#domain/access/blacklist.ts';
import { createBudgetReplay, type ReplayedRequest } from '#domain/allowance/replay-budget.ts';
import { budgetKinds, countsRequests } from '#domain/allowance/window.ts';
import type { Author } from '#domain/principal.ts';
import type { ServedLog } from '#domain/request-log/log-rows.ts';
import { invalidField } from '#errors/console-error.ts';
import { selectPayingKeys, selectUserNames } from './store.ts';
import { showAmount, toAmount, toSubjectColumns } from './terms.ts';

type NewBudget = z.output<typeof createBudgetBody>;

/** Maximum number of requests per replay, which limits its duration. */
const requestsMax = 500_000;
const listedMax = 50;

/** Yields the served requests of a budget's subject in order of admission. The caller applies the model pattern. */
async function readServedLogs(
  tx: LogTransaction,
  budget: NewBudget,
  days: number,
): Promise<AsyncIterable<ServedLog>> {
  const columns = toSubjectColumns(budget);
  return tx.requestLog.readServed({
    userId: columns.userId ?? undefined,
    teamIds: columns.teamId === null ? undefined : [columns.teamId],
    taskId: columns.taskId ?? undefined,
    apiKeyIds: columns.apiKeyId === null ? undefined : await selectPayingKeys(tx, columns.apiKeyId),
    llmProviderId: columns.llmProviderId,
    amount: budget.measure,
    countsRequests: countsRequests(budgetKinds[budget.measure]),
    since: budget.starts_at ?? null,
    days,
    limit: requestsMax,
  });
}

/** Returns the requests of the last days that a new budget would have rejected. Does not create the budget. */
export async function replayBudget(
  tx: LogTransaction,
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
  for await (const log of await readServedLogs(tx, budget, days)) {
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
