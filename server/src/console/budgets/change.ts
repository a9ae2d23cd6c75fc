import {
  type Budget,
  type BudgetMeasure,
  type createBudgetBody,
  findLimitProblem,
  type raiseBudgetBody,
  type updateBudgetBody,
} from '@sluice/contract';
import type { z } from 'zod';
import type { TenantTransaction } from '#db/tenant.ts';
import { parseBlacklistPattern } from '#domain/access/blacklist.ts';
import type { Principal } from '#domain/principal.ts';
import { ConsoleError, invalidField, notFound } from '#errors/console-error.ts';
import { getBudget } from './read.ts';
import {
  changeBudget,
  deleteBudgetRow,
  findDefaultBudget,
  insertBudget,
  lockBudget,
  returnToDefault,
} from './store.ts';
import { changeTerms, sortThresholds, toAmount } from './terms.ts';

/** Creates a budget. It counts the requests that are admitted from then on. */
export async function createBudget(
  tx: TenantTransaction,
  { tenantId, userId }: Principal,
  body: z.output<typeof createBudgetBody>,
): Promise<Budget> {
  const modelPattern = body.model_pattern || null;
  const parsed = modelPattern === null ? null : parseBlacklistPattern(modelPattern);
  if (parsed && !parsed.ok) throw invalidField('model_pattern', parsed.problem);
  const values = {
    tenantId,
    teamId: body.team_id ?? null,
    userId: body.user_id ?? null,
    apiKeyId: body.api_key_id ?? null,
    taskId: body.task_id ?? null,
    llmProviderId: body.llm_provider_id ?? null,
    modelPattern,
    measure: body.measure,
    period: body.period,
    startsAt: body.starts_at == null ? null : new Date(body.starts_at),
    limitAmount: toAmount(body.measure, body.limit),
    thresholds: sortThresholds(body.thresholds),
    action: body.action,
    routeTo: body.route_to ?? null,
    createdBy: userId,
  };
  // The use under the default counts towards the user's own limit.
  const replaced = await findDefaultBudget(tx, values);
  if (replaced !== undefined)
    await changeBudget(tx, tenantId, replaced, {
      ...values,
      isDefault: false,
      defaultId: null,
      isRetired: false,
    });
  return getBudget(tx, { tenantId }, replaced ?? (await insertBudget(tx, values)));
}

/** Changes only the given fields; a changed limit applies to the running period at once. */
export async function updateBudget(
  tx: TenantTransaction,
  { tenantId }: Principal,
  { id, body }: { readonly id: number; readonly body: z.output<typeof updateBudgetBody> },
): Promise<Budget> {
  const current = await lockBudget(tx, tenantId, id);
  if (!current) throw notFound('Budget');
  // An edited budget is its user's own, which no default changes.
  await changeBudget(tx, tenantId, id, {
    ...changeTerms(current, body),
    isDefault: false,
    defaultId: null,
  });
  return getBudget(tx, { tenantId }, id);
}

export async function deleteBudget(
  tx: TenantTransaction,
  { tenantId }: Principal,
  id: number,
): Promise<undefined> {
  const current = await lockBudget(tx, tenantId, id);
  if (!current) throw notFound('Budget');
  if (current.isDefault)
    throw new ConsoleError(
      409,
      'A default sets this budget: change or delete the default, or edit the budget to replace it for this user',
    );
  if (!(await returnToDefault(tx, tenantId, current))) await deleteBudgetRow(tx, tenantId, id);
}

const raiseDaysMax = 366;

/**
 * Returns the columns of a raise.
 * @throws ConsoleError if it is no raise, or its end is over or too far away
 */
function checkRaise(
  current: { readonly measure: BudgetMeasure; readonly limitAmount: number },
  body: Pick<z.output<typeof raiseBudgetBody>, 'limit' | 'until'>,
) {
  const problem = findLimitProblem(current.measure, body.limit);
  if (problem) throw invalidField('limit', problem);
  const raisedLimit = toAmount(current.measure, body.limit);
  if (raisedLimit <= current.limitAmount)
    throw invalidField('limit', 'The raised limit must be higher than the limit of the budget');
  const raisedUntil = new Date(body.until);
  const untilMs = raisedUntil.getTime() - Date.now();
  if (untilMs <= 0) throw invalidField('until', 'The end of the raise must be in the future');
  if (untilMs > raiseDaysMax * 86_400_000)
    throw invalidField('until', 'The raise can last at most 366 days: change the limit instead');
  return { raisedLimit, raisedUntil };
}

/** Locks a budget and returns the columns of a raise of it; `null` if the tenant has no such budget. */
export async function checkBudgetRaise(
  tx: TenantTransaction,
  tenantId: number,
  {
    id,
    body,
  }: { readonly id: number; readonly body: Pick<z.output<typeof raiseBudgetBody>, 'limit' | 'until'> },
) {
  const current = await lockBudget(tx, tenantId, id);
  return current ? checkRaise(current, body) : null;
}

/** Raises the limit at once; a job restores it at the end. */
export async function raiseBudget(
  tx: TenantTransaction,
  { tenantId }: Principal,
  { id, body }: { readonly id: number; readonly body: z.output<typeof raiseBudgetBody> },
): Promise<Budget> {
  const current = await lockBudget(tx, tenantId, id);
  if (!current) throw notFound('Budget');
  const raise = checkRaise(current, body);
  await changeBudget(tx, tenantId, id, { ...raise, raiseReason: body.reason });
  return getBudget(tx, { tenantId }, id);
}

/** Restores the limit now; has no effect on a budget that is not raised. */
export async function endBudgetRaise(
  tx: TenantTransaction,
  { tenantId }: Principal,
  id: number,
): Promise<Budget> {
  if (!(await lockBudget(tx, tenantId, id))) throw notFound('Budget');
  await changeBudget(tx, tenantId, id, { raisedLimit: null, raisedUntil: null, raiseReason: null });
  return getBudget(tx, { tenantId }, id);
}
