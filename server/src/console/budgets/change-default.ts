import type { BudgetDefault, budgetTermChanges, createBudgetDefaultBody } from '@sluice/contract';
import type { z } from 'zod';
import type { TenantTransaction } from '#db/tenant.ts';
import type { Author } from '#domain/principal.ts';
import { ConsoleError, invalidField, notFound } from '#errors/console-error.ts';
import {
  changeDefault,
  type DefaultRow,
  deleteDefault,
  hasTeam,
  insertDefault,
  lockDefault,
  selectDefaults,
} from './defaults-store.ts';
import { changeTerms, showTerms, toTerms } from './terms.ts';

export async function listBudgetDefaults(
  tx: TenantTransaction,
  { tenantId }: Author,
): Promise<BudgetDefault[]> {
  return (await selectDefaults(tx, tenantId)).map(toBudgetDefault);
}

async function getBudgetDefault(tx: TenantTransaction, tenantId: number, id: number): Promise<BudgetDefault> {
  const [row] = await selectDefaults(tx, tenantId, id);
  if (!row) throw notFound('Default budget');
  return toBudgetDefault(row);
}

function toBudgetDefault({ row, team, users }: DefaultRow): BudgetDefault {
  return {
    id: row.id,
    team_id: row.teamId,
    team_name: team,
    ...showTerms(row),
    users,
    created_at: row.createdAt.toISOString(),
  };
}

/** @throws ConsoleError 422 if the tenant does not have the team */
export async function requireTeam(
  tx: TenantTransaction,
  tenantId: number,
  teamId: number | null,
): Promise<void> {
  if (teamId !== null && !(await hasTeam(tx, tenantId, teamId)))
    throw invalidField('team_id', 'Your organization has no team with this ID');
}

/** A trigger in the same transaction creates a budget for each user that the default applies to. */
export async function createBudgetDefault(
  tx: TenantTransaction,
  { tenantId, userId }: Author,
  body: z.output<typeof createBudgetDefaultBody>,
): Promise<BudgetDefault> {
  const teamId = body.team_id ?? null;
  await requireTeam(tx, tenantId, teamId);
  const id = await insertDefault(tx, {
    tenantId,
    teamId,
    ...toTerms(body),
    createdBy: userId,
  });
  if (id === undefined)
    throw new ConsoleError(
      409,
      'A default with this measure and period already exists. Change its limit instead.',
    );
  return getBudgetDefault(tx, tenantId, id);
}

export async function updateBudgetDefault(
  tx: TenantTransaction,
  { tenantId }: Author,
  { id, body }: { readonly id: number; readonly body: z.output<typeof budgetTermChanges> },
): Promise<BudgetDefault> {
  const current = await lockDefault(tx, tenantId, id);
  if (!current) throw notFound('Default budget');
  await changeDefault(tx, tenantId, id, changeTerms(current, body));
  return getBudgetDefault(tx, tenantId, id);
}

export async function deleteBudgetDefault(
  tx: TenantTransaction,
  { tenantId }: Author,
  id: number,
): Promise<undefined> {
  if (!(await deleteDefault(tx, tenantId, id))) throw notFound('Default budget');
}
