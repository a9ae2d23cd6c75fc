import {
  type Budget,
  type BudgetMeasure,
  type BudgetSubjectType,
  type budgetTermChanges,
  type createBudgetBody,
  downgradeToMissing,
  downgradeToUnused,
  findActionProblem,
  findLimitProblem,
  toNanoUsd,
  toUsd,
} from '@sluice/contract';
import type { z } from 'zod';
import type { budgets } from '#db/schema/budgets.ts';
import { invalidField } from '#errors/console-error.ts';

type Columns = typeof budgets.$inferSelect;

/** Column of the subject's id by subject type; `null` if this type has no column. */
const subjectColumns = {
  tenant: null,
  team: 'teamId',
  team_member: null,
  user: 'userId',
  api_key: 'apiKeyId',
  service_account: 'userId',
  task: 'taskId',
  provider: 'llmProviderId',
} as const satisfies Record<BudgetSubjectType, keyof Columns | null>;

type Subject = Pick<z.output<typeof createBudgetBody>, 'subject_type' | 'subject_id'> & {
  readonly team_id?: number | null | undefined;
  readonly llm_provider_id?: number | null | undefined;
};

export function toSubjectColumns({ llm_provider_id, subject_id, subject_type, team_id }: Subject) {
  const named = { teamId: team_id ?? null, llmProviderId: llm_provider_id ?? null };
  const column = subjectColumns[subject_type];
  return {
    userId: null,
    apiKeyId: null,
    taskId: null,
    ...named,
    ...(column !== null && { [column]: subject_id ?? null }),
  } as Pick<Columns, 'teamId' | 'userId' | 'apiKeyId' | 'taskId' | 'llmProviderId'>;
}

export function showSubject(
  { apiKeyId, llmProviderId, taskId, teamId, tenantId, userId }: Columns,
  isServiceAccount: boolean,
): Pick<Budget, 'subject_type' | 'subject_id'> {
  if (apiKeyId !== null) return { subject_type: 'api_key', subject_id: apiKeyId };
  if (userId !== null)
    return { subject_type: isServiceAccount ? 'service_account' : 'user', subject_id: userId };
  if (taskId !== null) return { subject_type: 'task', subject_id: taskId };
  if (teamId !== null) return { subject_type: 'team', subject_id: teamId };
  if (llmProviderId !== null) return { subject_type: 'provider', subject_id: llmProviderId };
  return { subject_type: 'tenant', subject_id: tenantId };
}

/** Converts a JSON amount to nano-dollars, tokens or requests. */
export function toAmount(measure: BudgetMeasure, amount: number): number {
  return measure === 'usd' ? Number(toNanoUsd(amount)) : amount;
}

/** Converts nano-dollars, tokens or requests to a JSON amount. */
export function showAmount(measure: BudgetMeasure, amount: number): number {
  return measure === 'usd' ? toUsd(BigInt(amount)) : amount;
}

const toThresholds = (fractions: readonly number[]) =>
  [...new Set(fractions.map((fraction) => Math.round(fraction * 100)))].toSorted((one, other) => one - other);

type NewTerms = Pick<
  z.output<typeof createBudgetBody>,
  'measure' | 'window' | 'limit' | 'thresholds' | 'action' | 'downgrade_to'
>;

export function toTerms({ action, downgrade_to, limit, measure, thresholds, window }: NewTerms) {
  return {
    measure,
    period: window,
    limitAmount: toAmount(measure, limit),
    thresholds: toThresholds(thresholds),
    action,
    routeTo: downgrade_to ?? null,
  };
}

type Terms = Pick<Columns, 'measure' | 'period' | 'limitAmount' | 'thresholds' | 'action' | 'routeTo'>;

export function showTerms({ action, limitAmount, measure, period, routeTo, thresholds }: Terms) {
  return {
    measure,
    window: period,
    limit: showAmount(measure, limitAmount),
    thresholds: thresholds.map((percent) => percent / 100),
    action,
    downgrade_to: routeTo,
  };
}

export function changeTerms(current: Omit<Terms, 'period'>, body: z.output<typeof budgetTermChanges>) {
  const { measure } = current;
  const problem = body.limit === undefined ? null : findLimitProblem(measure, body.limit);
  if (problem) throw invalidField('limit', problem);
  const action = body.action ?? current.action;
  const actionProblem = findActionProblem(measure, action);
  if (actionProblem) throw invalidField('action', actionProblem);
  const routeTo = body.downgrade_to === undefined ? current.routeTo : body.downgrade_to;
  if (action === 'downgrade' && routeTo === null) throw invalidField('downgrade_to', downgradeToMissing);
  if (action !== 'downgrade' && body.downgrade_to != null)
    throw invalidField('downgrade_to', downgradeToUnused);
  return {
    limitAmount: body.limit === undefined ? current.limitAmount : toAmount(measure, body.limit),
    thresholds: body.thresholds === undefined ? current.thresholds : toThresholds(body.thresholds),
    action,
    routeTo: action === 'downgrade' ? routeTo : null,
  };
}
