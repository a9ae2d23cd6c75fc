import {
  type Budget,
  type createBudgetBody,
  findLimitProblem,
  type raiseBudgetBody,
  routeToMissing,
  type updateBudgetBody,
} from '@sluice/contract';
import type { z } from 'zod';
import type { TenantTransaction } from '#db/tenant.ts';
import { parseBlacklistPattern } from '#domain/access/blacklist.ts';
import type { Principal } from '#domain/principal.ts';
import { invalidField, notFound } from '#errors/console-error.ts';
import { getBudget, toAmount } from './read.ts';
import { changeBudget, deleteBudgetRow, insertBudget, lockBudget } from './store.ts';

/** Creates a budget. It counts the requests that are admitted from then on. */
export async function createBudget(
  tx: TenantTransaction,
  { tenantId, userId }: Principal,
  body: z.output<typeof createBudgetBody>,
): Promise<Budget> {
  const modelPattern = body.model_pattern || null;
  const parsed = modelPattern === null ? null : parseBlacklistPattern(modelPattern);
  if (parsed && !parsed.ok) throw invalidField('model_pattern', parsed.problem);
  const id = await insertBudget(tx, {
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
  });
  return getBudget(tx, { tenantId }, id);
}

const sortThresholds = (thresholds: readonly number[]) =>
  [...new Set(thresholds)].toSorted((one, other) => one - other);

/** Changes only the given fields; a changed limit applies to the running period at once. */
export async function updateBudget(
  tx: TenantTransaction,
  { tenantId }: Principal,
  { id, body }: { readonly id: number; readonly body: z.output<typeof updateBudgetBody> },
): Promise<Budget> {
  const current = await lockBudget(tx, tenantId, id);
  if (!current) throw notFound('Budget');
  const { measure } = current;
  const problem = body.limit === undefined ? null : findLimitProblem(measure, body.limit);
  if (problem) throw invalidField('limit', problem);
  const action = body.action ?? current.action;
  const routeTo = body.route_to === undefined ? current.routeTo : body.route_to;
  if (action === 'route' && routeTo === null) throw invalidField('route_to', routeToMissing);
  await changeBudget(tx, tenantId, id, {
    limitAmount: body.limit === undefined ? current.limitAmount : toAmount(measure, body.limit),
    thresholds: body.thresholds === undefined ? current.thresholds : sortThresholds(body.thresholds),
    action,
    routeTo: action === 'route' ? routeTo : null,
  });
  return getBudget(tx, { tenantId }, id);
}

export async function deleteBudget(
  tx: TenantTransaction,
  { tenantId }: Principal,
  id: number,
): Promise<undefined> {
  if (!(await deleteBudgetRow(tx, tenantId, id))) throw notFound('Budget');
}

const raiseDaysMax = 366;

/** Raises the limit at once; a job restores it at the end. */
export async function raiseBudget(
  tx: TenantTransaction,
  { tenantId }: Principal,
  { id, body }: { readonly id: number; readonly body: z.output<typeof raiseBudgetBody> },
): Promise<Budget> {
  const current = await lockBudget(tx, tenantId, id);
  if (!current) throw notFound('Budget');
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
  await changeBudget(tx, tenantId, id, { raisedLimit, raisedUntil, raiseReason: body.reason });
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
