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
import type { Author } from '#domain/principal.ts';
import { ConsoleError, invalidField, notFound } from '#errors/console-error.ts';
import { createBudgetDefault, updateBudgetDefault } from './change-default.ts';
import { deleteDefault, hasTeam, selectTeamDefaults } from './defaults-store.ts';
import { getBudget } from './read.ts';
import {
  changeBudget,
  deleteBudgetRow,
  findDefaultBudget,
  hasUser,
  insertBudget,
  lockBudget,
  noRaise,
  returnToDefault,
} from './store.ts';
import { changeTerms, toAmount, toSubjectColumns, toTerms } from './terms.ts';

type NewBudget = z.output<typeof createBudgetBody>;

const noSuchObject = 'Your organization has no object with this ID';

/**
 * @throws ConsoleError 422 if a user, service account or tenant is not in the tenant. Foreign keys check other
 * subjects.
 */
async function checkSubject(
  tx: TenantTransaction,
  tenantId: number,
  { subject_id, subject_type }: NewBudget,
): Promise<void> {
  if (subject_id == null) return;
  if (subject_type === 'tenant' && subject_id !== tenantId) throw invalidField('subject_id', noSuchObject);
  if (subject_type !== 'user' && subject_type !== 'service_account') return;
  const kind = subject_type === 'user' ? 'person' : 'service';
  if (!(await hasUser(tx, tenantId, subject_id, kind))) throw invalidField('subject_id', noSuchObject);
}

/**
 * Creates a budget, or a default for a team's members. Requests admitted before the creation do not count, unless the
 * budget replaces one that was created by a default.
 */
export async function createBudget(
  tx: TenantTransaction,
  principal: Author,
  body: NewBudget,
): Promise<Budget> {
  const { tenantId, userId } = principal;
  if (body.subject_type === 'team_member') {
    const { id } = await createTeamDefault(tx, principal, body);
    return getBudget(tx, principal, id);
  }
  await checkSubject(tx, tenantId, body);
  const modelPattern = body.model_pattern || null;
  const parsed = modelPattern === null ? null : parseBlacklistPattern(modelPattern);
  if (parsed && !parsed.ok) throw invalidField('model_pattern', parsed.problem);
  const values = {
    tenantId,
    ...toSubjectColumns(body),
    modelPattern,
    startsAt: body.starts_at == null ? null : new Date(body.starts_at),
    ...toTerms(body),
    createdBy: userId,
  };
  // Update the budget created by a default instead of adding another, so that its usage still counts. This ends a
  // raise.
  const replaced = await findDefaultBudget(tx, values);
  if (replaced !== undefined)
    await changeBudget(tx, tenantId, replaced, {
      ...values,
      ...noRaise,
      isDefault: false,
      defaultId: null,
      isRetired: false,
    });
  const id = replaced ?? (await insertBudget(tx, values, body.subject_type));
  return getBudget(tx, { tenantId }, id);
}

async function createTeamDefault(tx: TenantTransaction, principal: Author, body: NewBudget) {
  const teamId = body.subject_id ?? null;
  if (teamId === null || !(await hasTeam(tx, principal.tenantId, teamId)))
    throw invalidField('subject_id', noSuchObject);
  return createBudgetDefault(tx, principal, { ...body, team_id: teamId });
}

const fixedFields = ['subject_type', 'subject_id', 'model_pattern', 'measure', 'window'] as const;

/** A changed limit applies to the current window immediately. */
export async function updateBudget(
  tx: TenantTransaction,
  principal: Author,
  { id, body }: { readonly id: number; readonly body: z.output<typeof updateBudgetBody> },
): Promise<Budget> {
  const { tenantId } = principal;
  const shown = await getBudget(tx, principal, id);
  for (const field of fixedFields) {
    if (body[field] !== undefined && (body[field] || null) !== shown[field])
      throw invalidField(field, 'This field cannot be changed. Create a new budget instead.');
  }
  const current = await lockBudget(tx, tenantId, id);
  // Detach an edited budget from its default, so that the default no longer changes the budget.
  if (current)
    await changeBudget(tx, tenantId, id, {
      ...changeTerms(current, body),
      isDefault: false,
      defaultId: null,
    });
  else await updateBudgetDefault(tx, principal, { id, body });
  return getBudget(tx, principal, id);
}

export async function deleteBudget(
  tx: TenantTransaction,
  { tenantId }: Author,
  id: number,
): Promise<undefined> {
  const current = await lockBudget(tx, tenantId, id);
  if (!current) {
    const [teamDefault] = await selectTeamDefaults(tx, tenantId, id);
    if (!teamDefault || !(await deleteDefault(tx, tenantId, id))) throw notFound('Budget');
    return;
  }
  if (current.isDefault)
    throw new ConsoleError(
      409,
      'This budget comes from a default. Change or delete the default, or edit this budget to replace the default for this user.',
    );
  if (!(await returnToDefault(tx, tenantId, current))) await deleteBudgetRow(tx, tenantId, id);
}

const raiseDaysMax = 366;

/**
 * Returns the columns of a raised limit.
 * @throws ConsoleError 422 if the limit is invalid or not higher, or if the end is in the past or too far in the
 * future
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
  if (untilMs <= 0) throw invalidField('until', 'The end of the higher limit must be in the future');
  if (untilMs > raiseDaysMax * 86_400_000)
    throw invalidField(
      'until',
      'A limit can be raised for at most 366 days. For a longer time, edit the limit itself.',
    );
  return { raisedLimit, raisedUntil };
}

/** Locks a budget and returns the columns of its raised limit, or `null` if the tenant has no such budget. */
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

/** A job restores the limit at the end date. */
export async function raiseBudget(
  tx: TenantTransaction,
  { tenantId }: Author,
  { id, body }: { readonly id: number; readonly body: z.output<typeof raiseBudgetBody> },
): Promise<Budget> {
  const current = await lockBudget(tx, tenantId, id);
  if (!current) throw notFound('Budget');
  const raise = checkRaise(current, body);
  await changeBudget(tx, tenantId, id, { ...raise, raiseReason: body.reason });
  return getBudget(tx, { tenantId }, id);
}

/** Has no effect on a budget that is not raised. */
export async function endBudgetRaise(
  tx: TenantTransaction,
  { tenantId }: Author,
  id: number,
): Promise<Budget> {
  if (!(await lockBudget(tx, tenantId, id))) throw notFound('Budget');
  await changeBudget(tx, tenantId, id, noRaise);
  return getBudget(tx, { tenantId }, id);
}
