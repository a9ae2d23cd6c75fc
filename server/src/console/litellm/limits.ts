import { type Budget, type BudgetMeasure, budgetDurationOf, windowOfBudgetDuration } from '@sluice/contract';
import { createBudget, deleteBudget, updateBudget } from '#console/budgets/change.ts';
import { listBudgets } from '#console/budgets/read.ts';
import type { TenantTransaction } from '#db/tenant.ts';
import type { Principal } from '#domain/principal.ts';
import { invalidField } from '#errors/console-error.ts';
import { requirePermission } from '#http/authorize.ts';

export interface LimitSubject {
  readonly subject_type: 'api_key' | 'team' | 'user';
  readonly subject_id: number;
}

/**
 * LiteLLM limits: dollars per duration, tokens and requests per minute, and parallel requests. Absent limits do not
 * change; `null` removes a limit.
 */
export interface LitellmLimits {
  readonly max_budget?: number | null | undefined;
  readonly budget_duration?: Parameters<typeof windowOfBudgetDuration>[0] | null | undefined;
  readonly tpm_limit?: number | null | undefined;
  readonly rpm_limit?: number | null | undefined;
  readonly max_parallel_requests?: number | null | undefined;
}

/** Omits `null` limits, which mean no limit for a new object. */
export function toNewLimits({
  budget_duration,
  max_budget,
  max_parallel_requests,
  rpm_limit,
  tpm_limit,
}: LitellmLimits): LitellmLimits {
  return {
    budget_duration: budget_duration ?? undefined,
    max_budget: max_budget ?? undefined,
    max_parallel_requests: max_parallel_requests ?? undefined,
    rpm_limit: rpm_limit ?? undefined,
    tpm_limit: tpm_limit ?? undefined,
  };
}

const listedMax = 200;

/**
 * Creates, changes or removes the budgets that correspond to LiteLLM limits.
 * @throws ConsoleError 403 if a budget would change and the author may not change budgets
 */
export async function setLimits(
  tx: TenantTransaction,
  author: Principal,
  subject: LimitSubject,
  limits: LitellmLimits,
): Promise<void> {
  const { max_parallel_requests: parallel, rpm_limit: requests, tpm_limit: tokens } = limits;
  const given = [limits.max_budget, limits.budget_duration, tokens, requests, parallel];
  if (given.every((limit) => limit === undefined)) return;
  const present = await listLimits(tx, author, subject);
  await setDollars(tx, author, subject, { limits, present: present.dollars });
  const counted = [
    [{ measure: 'tokens', window: 'minute', limit: tokens }, present.tokens],
    [{ measure: 'requests', window: 'minute', limit: requests }, present.requests],
    [{ measure: 'parallel_requests', window: 'at_once', limit: parallel }, present.parallel],
  ] as const;
  for (const [wanted, current] of counted) await setLimit(tx, author, subject, wanted, current);
}

async function setDollars(
  tx: TenantTransaction,
  author: Principal,
  subject: LimitSubject,
  { limits, present }: { readonly limits: LitellmLimits; readonly present: Budget | undefined },
): Promise<void> {
  const { budget_duration: duration, max_budget: max = duration === undefined ? undefined : present?.limit } =
    limits;
  if (duration != null && max == null)
    throw invalidField('budget_duration', 'budget_duration requires max_budget');
  const kept = duration === undefined ? present?.window : undefined;
  const window = duration ? windowOfBudgetDuration(duration) : (kept ?? 'total');
  await setLimit(tx, author, subject, { measure: 'usd', window, limit: max }, present);
}

interface Wanted {
  readonly measure: BudgetMeasure;
  readonly window: Budget['window'];
  readonly limit: number | null | undefined;
}

async function setLimit(
  tx: TenantTransaction,
  author: Principal,
  subject: LimitSubject,
  { limit, measure, window }: Wanted,
  present: Budget | undefined,
): Promise<void> {
  if (limit === undefined || (limit === null && !present)) return;
  requirePermission(author, 'budgets.write');
  if (present && limit !== null && present.window === window) {
    await updateBudget(tx, author, { id: present.id, body: { limit } });
    return;
  }
  if (present) await deleteBudget(tx, author, present.id);
  if (limit === null) return;
  await createBudget(tx, author, {
    ...subject,
    measure,
    window,
    limit,
    thresholds: [0.8, 1],
    action: 'refuse',
  });
}

/** Returns the budgets of a subject that LiteLLM's fields can represent. */
export async function listLimits(tx: TenantTransaction, author: Principal, subject: LimitSubject) {
  const { subject_id, subject_type } = subject;
  const column = { api_key: 'api_key_id', team: 'team_id', user: 'user_id' } as const;
  const { body: budgets } = await listBudgets(tx, author, {
    ...subject,
    [column[subject_type]]: subject_id,
    skip: 0,
    limit: listedMax,
  });
  return pickLimits(budgets);
}

/**
 * Selects the budgets that apply to all requests of the subject: dollar budgets, budgets per minute and budgets for
 * parallel requests.
 */
export function pickLimits(budgets: readonly Budget[]) {
  const whole = budgets.filter(
    ({ default_id, llm_provider_id, model_pattern, starts_at, subject_type, team_id }) =>
      [model_pattern, llm_provider_id, default_id, starts_at].every((narrowing) => narrowing === null) &&
      (team_id === null || subject_type === 'team'),
  );
  const perMinute = (wanted: BudgetMeasure) =>
    whole.find(({ measure, window }) => measure === wanted && window === 'minute');
  return {
    dollars: whole.find(({ measure }) => measure === 'usd'),
    tokens: perMinute('tokens'),
    requests: perMinute('requests'),
    parallel: whole.find(({ measure }) => measure === 'parallel_requests'),
  };
}

/** Returns LiteLLM's limit fields. Without a budget, `spend` is the cost of the current month. */
export function showLimits(
  { dollars, tokens, requests, parallel }: ReturnType<typeof pickLimits>,
  spendUsdMonth: number,
) {
  return {
    max_budget: dollars?.limit ?? null,
    budget_duration: dollars ? budgetDurationOf(dollars.window) : null,
    budget_reset_at: dollars?.resets_at ?? null,
    tpm_limit: tokens?.limit ?? null,
    rpm_limit: requests?.limit ?? null,
    max_parallel_requests: parallel?.limit ?? null,
    spend: dollars?.spent ?? spendUsdMonth,
  };
}
