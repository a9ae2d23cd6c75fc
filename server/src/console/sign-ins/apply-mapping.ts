import { and, eq, inArray } from 'drizzle-orm';
import { addTeamMember, removeTeamMember } from '#console/teams/change.ts';
import { requireOtherAdministrator } from '#console/users/block.ts';
import { takeSeat } from '#console/users/create.ts';
import { changeRole } from '#console/users/update.ts';
import { attempt } from '#db/attempt.ts';
import { teams } from '#db/schema/teams.ts';
import type { SystemDatabase } from '#db/system.ts';
import type { MappedAccess, MappedRole } from '#domain/identity-mapping.ts';
import type { Principal } from '#domain/principal.ts';
import { type AccountRow, changeIdentity, findRoleId, type IdentityRow } from './store.ts';

/**
 * Applies what a mapping gives. The role of a user follows the provider only while it is the one that the mapping gave
 * last: a role that an administrator gave stays, also if the mapping gives the same one later. Likewise only the teams that the mapping added are removed.
 * @throws ConsoleError 422 without a free seat for the role, 409 if no administrator would remain.
 */
export async function applyMapping(
  tx: SystemDatabase,
  account: AccountRow,
  identity: IdentityRow,
  access: MappedAccess & { readonly role: MappedRole },
): Promise<void> {
  const isMapped = identity.mappedRole !== null && identity.mappedRole === account.role;
  if (isMapped && access.role !== account.role) await giveRole(tx, account, access.role);
  await changeIdentity(tx, identity.id, {
    mappedRole: isMapped ? access.role : null,
    mappedTeams: await applyTeams(tx, account, identity.mappedTeams, access.teamIds),
    lastUsedAt: new Date(),
  });
}

async function giveRole(
  tx: SystemDatabase,
  { id, tenantId, role: former }: AccountRow,
  role: MappedRole,
): Promise<void> {
  await takeSeat(tx, tenantId, role, 'role_id');
  if (former !== 'user' && role === 'user')
    await requireOtherAdministrator(tx, { userId: id, tenantId, role: 'admin' }, id);
  await changeRole(tx, id, await findRoleId(tx, role));
}

/** Returns the teams that the user is in because of the mapping. */
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

/** Rules of a shared provider may name teams of another tenant, which are skipped. */
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

/** The change is the user's sign-in, with the rights of the administrator who set the mapping. */
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
