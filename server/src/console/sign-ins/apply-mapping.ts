import { and, eq, inArray } from 'drizzle-orm';
import { isBreakGlassAccount } from '#console/sign-in-policy/policy.ts';
import { addTeamMember, removeTeamMember } from '#console/teams/change.ts';
import { takeSeat } from '#console/users/create.ts';
import { isLastAdministrator } from '#console/users/last-administrator.ts';
import { changeRole } from '#console/users/update.ts';
import { attempt } from '#db/attempt.ts';
import { lockTenantPlan } from '#db/lock-tenant-plan.ts';
import { teams } from '#db/schema/teams.ts';
import type { SystemDatabase } from '#db/system.ts';
import type { MappedAccess, MappedRole } from '#domain/identity-mapping.ts';
import type { Principal } from '#domain/principal.ts';
import { type AccountRow, changeIdentity, findRoleId, type IdentityRow } from './store.ts';

/**
 * Applies a mapping's role and teams. Only a role or team that the mapping assigned is changed or removed. Returns the
 * user's role if it is kept although the mapping assigns a lower one, or `null`.
 * @throws ConsoleError 422 if the role has no free seat
 */
export async function applyMapping(
  tx: SystemDatabase,
  account: AccountRow,
  identity: IdentityRow,
  access: MappedAccess & { readonly role: MappedRole },
): Promise<MappedRole | null> {
  const mapped = identity.mappedRole === account.role ? identity.mappedRole : null;
  const isKept = mapped === 'admin' && access.role === 'user' && (await isNeeded(tx, account));
  const role = isKept ? mapped : access.role;
  if (mapped !== null && role !== mapped) await giveRole(tx, account, role);
  await changeIdentity(tx, identity.id, {
    mappedRole: mapped && role,
    mappedTeams: await applyTeams(tx, account, identity.mappedTeams, access.teamIds),
    lastUsedAt: new Date(),
  });
  return isKept ? mapped : null;
}

/** Returns whether the user is a break-glass account or the last administrator. Such users keep their role. */
async function isNeeded(tx: SystemDatabase, { id, tenantId }: AccountRow): Promise<boolean> {
  await lockTenantPlan(tx, tenantId);
  return (await isBreakGlassAccount(tx, tenantId, id)) || (await isLastAdministrator(tx, tenantId, id));
}

async function giveRole(tx: SystemDatabase, { id, tenantId }: AccountRow, role: MappedRole): Promise<void> {
  await takeSeat(tx, tenantId, role, 'role_id');
  await changeRole(tx, id, await findRoleId(tx, role));
}

/** Returns the teams that the user belongs to because of the mapping. */
async function applyTeams(
  tx: SystemDatabase,
  account: AccountRow,
  mapped: readonly number[],
  wanted: readonly number[],
): Promise<number[]> {
  const { tenantId, id: userId } = account;
  const known = await selectTeamIds(tx, tenantId, [...wanted, ...mapped]);
  const author = authorOf(account);
  for (const teamId of mapped.filter((id) => !wanted.includes(id) && known.includes(id)))
    await attempt(tx, () => removeTeamMember(tx, author, { teamId, userId }));
  const kept = mapped.filter((id) => wanted.includes(id) && known.includes(id));
  for (const teamId of wanted.filter((id) => !mapped.includes(id) && known.includes(id))) {
    const body = { user_id: userId, role: 'member' as const };
    const refusal = await attempt(tx, () => addTeamMember(tx, author, { teamId, body }));
    if (!refusal) kept.push(teamId);
  }
  return kept.toSorted((a, b) => a - b);
}

/**
 * Returns the subset of teams that exist in the tenant. Rules of a shared provider may refer to teams of other
 * tenants.
 */
async function selectTeamIds(
  tx: SystemDatabase,
  tenantId: number,
  ids: readonly number[],
): Promise<number[]> {
  if (ids.length === 0) return [];
  const rows = await tx
    .select({ id: teams.id })
    .from(teams)
    .where(and(eq(teams.tenantId, tenantId), inArray(teams.id, [...ids])));
  return rows.map(({ id }) => id);
}

/**
 * Returns the author of the change: the user who signs in, with the permissions of the administrator who configured
 * the mapping.
 */
function authorOf({ id: userId, tenantId, name, email }: AccountRow): Principal {
  return {
    userId,
    tenantId,
    name,
    email,
    role: 'admin',
    credential: { kind: 'session', sessionId: '' },
    blockedReason: null,
  };
}
