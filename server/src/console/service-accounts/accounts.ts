import { randomBytes } from 'node:crypto';
import type { createServiceAccountBody, ServiceAccount, updateServiceAccountBody } from '@sluice/contract';
import type { z } from 'zod';
import { readSpend } from '#console/analytics/spend.ts';
import { revokeEveryApiKey } from '#console/api-keys/revoke.ts';
import { addPerson, requireMayAssign } from '#console/users/create.ts';
import { findMissing } from '#console/users/find-missing.ts';
import { lockTarget } from '#console/users/target.ts';
import { changeServiceUser } from '#console/users/update.ts';
import { lockTenantPlan } from '#db/lock-tenant-plan.ts';
import type { LogTransaction, TenantTransaction } from '#db/tenant.ts';
import type { Author } from '#domain/principal.ts';
import { formatServiceAddress } from '#domain/service-address.ts';
import { ConsoleError, invalidField, notFound } from '#errors/console-error.ts';
import { makeUnmatchableHash } from '#platform/password.ts';
import {
  countServiceAccounts,
  findOwner,
  findRoleId,
  holdTeam,
  joinTeam,
  leaveTeams,
  type ServiceAccountRow,
  selectServiceAccounts,
} from './store.ts';

const accountsMax = 200;

export async function listServiceAccounts(
  tx: LogTransaction,
  { tenantId }: Author,
): Promise<ServiceAccount[]> {
  const rows = await selectServiceAccounts(tx, tenantId);
  const spendOf = await readSpend(tx.reports, tenantId, 'user');
  const missing = await findMissing(tx, tenantId);
  return rows.map((row) => ({ ...toServiceAccount(row, missing), ...spendOf(row.id) }));
}

export async function getServiceAccount(
  tx: TenantTransaction,
  { tenantId }: Pick<Author, 'tenantId'>,
  id: number,
): Promise<ServiceAccount> {
  const [row] = await selectServiceAccounts(tx, tenantId, id);
  if (!row) throw notFound('Service account');
  const spendOf = await readSpend(tx, tenantId, 'user', { user_id: id });
  return { ...toServiceAccount(row, await findMissing(tx, tenantId, id)), ...spendOf(id) };
}

/**
 * Creates a service account, which does not use a seat. The account becomes a member of the owning team and can use
 * the team's grants.
 * @throws ConsoleError 409 at the maximum number of accounts, 422 on `team_id`, `role` or `name`, 403 if the author
 * may not assign the role
 */
export async function createServiceAccount(
  tx: TenantTransaction,
  author: Author,
  { name, role, ...body }: z.output<typeof createServiceAccountBody>,
): Promise<ServiceAccount> {
  const { tenantId } = author;
  const teamId = body.team_id;
  await lockTenantPlan(tx, tenantId);
  const present = await countServiceAccounts(tx, tenantId);
  if (present >= accountsMax) {
    throw new ConsoleError(
      409,
      `Limit for service accounts reached: ${present} of ${accountsMax}. Delete one that is no longer used.`,
    );
  }
  requireMayAssign(author, role);
  await requireOwner(tx, tenantId, { role, teamId });
  const id = await addPerson(tx, {
    tenantId,
    roleId: await findRoleId(tx, role),
    role,
    kind: 'service',
    name,
    email: formatServiceAddress(name, randomBytes(5)),
    passwordHash: makeUnmatchableHash(),
    ownerTeamId: teamId,
    scoresDeviation: body.scores_deviation,
  });
  if (teamId !== null) await joinTeam(tx, { tenantId, teamId, userId: id, addedBy: author.userId });
  return getServiceAccount(tx, author, id);
}

/** If the owner changes, the account also becomes a member of the new owning team and can use the team's grants. */
export async function updateServiceAccount(
  tx: TenantTransaction,
  author: Author,
  { id, body }: { readonly id: number; readonly body: z.output<typeof updateServiceAccountBody> },
): Promise<ServiceAccount> {
  const { tenantId } = author;
  const { owner, role: formerRole, isActive } = await lockServiceAccount(tx, author, id);
  const { role = formerRole, team_id: teamId = owner.teamId } = body;
  requireMayAssign(author, role);
  if (body.role !== undefined || body.team_id !== undefined)
    await requireOwner(tx, tenantId, { role, teamId });
  if (teamId !== owner.teamId) {
    if (owner.teamId !== null) await leaveTeams(tx, tenantId, { userId: id, teamId: owner.teamId });
    if (teamId !== null) await joinTeam(tx, { tenantId, teamId, userId: id, addedBy: author.userId });
  }
  if (Object.keys(body).length > 0) {
    await changeServiceUser(tx, id, {
      name: body.name,
      roleId: await findRoleId(tx, role),
      ownerTeamId: teamId,
      scoresDeviation: body.scores_deviation,
      isActive: body.is_active,
      // This also ends requests in flight.
      endsSessions: isActive && body.is_active === false,
    });
  }
  return getServiceAccount(tx, author, id);
}

/** The row is kept for the log. A trigger revokes the account's management tokens. */
export async function deleteServiceAccount(tx: TenantTransaction, author: Author, id: number): Promise<void> {
  const { tenantId } = author;
  await lockServiceAccount(tx, author, id);
  await revokeEveryApiKey(tx, tenantId, id);
  await leaveTeams(tx, tenantId, { userId: id });
  await changeServiceUser(tx, id, {
    isActive: false,
    deletedAt: new Date(),
    ownerTeamId: null,
    endsSessions: true,
  });
}

/**
 * Returns a service account and locks it until the transaction ends.
 * @throws ConsoleError 404 if the tenant does not have the account, 403 if its role is above the author's
 */
export async function lockServiceAccount(tx: TenantTransaction, author: Author, id: number) {
  if (!(await findOwner(tx, author.tenantId, id))) throw notFound('Service account');
  const target = await lockTarget(tx, author, id);
  const owner = await findOwner(tx, author.tenantId, id);
  if (!owner) throw notFound('Service account');
  return { ...target, owner };
}

async function requireOwner(
  tx: TenantTransaction,
  tenantId: number,
  { role, teamId }: { readonly role: string; readonly teamId: number | null },
): Promise<void> {
  if (teamId === null) return;
  if (role !== 'user') {
    throw invalidField(
      'role',
      'An account that a team owns must have the role user. For another role, choose the organization as its owner.',
    );
  }
  if (!(await holdTeam(tx, tenantId, teamId)))
    throw invalidField('team_id', 'This team does not exist. Choose another team.');
}

function toServiceAccount(row: ServiceAccountRow, missing: Awaited<ReturnType<typeof findMissing>>) {
  return {
    id: row.id,
    name: row.name,
    team_id: row.teamId,
    team_name: row.teamName,
    role: row.role === 'admin' ? ('admin' as const) : ('user' as const),
    is_active: row.isActive,
    is_blocked: row.isBlocked,
    scores_deviation: row.scoresDeviation,
    missing: missing.get(row.id) ?? [],
    keys_count: row.keysCount,
    tokens_count: row.tokensCount,
    keys_expire_at: row.keysExpireAt?.toISOString() ?? null,
    last_used_at: row.lastUsedAt?.toISOString() ?? null,
    created_at: row.createdAt.toISOString(),
  };
}
