import type {
  addTeamMemberBody,
  createTeamBody,
  Team,
  TeamMember,
  updateTeamBody,
  updateTeamMemberBody,
} from '@sluice/contract';
import type { z } from 'zod';
import type { TenantTransaction } from '#db/tenant.ts';
import { ConsoleError, notFound } from '#errors/console-error.ts';
import type { SignedInContext } from '#http/console-route.ts';
import { managesAllTeams, requireTeam, requireTeamAlone, toTeam, toTeamMember } from './read.ts';
import {
  changeMembership,
  changeTeam,
  deleteMembership,
  deleteTeamRow,
  findMembership,
  insertTeam,
  isPersonOf,
  joinTeam,
  type MemberRow,
  type Place,
} from './store.ts';

export function createTeam(
  { principal, inTenant }: SignedInContext,
  { name, description }: z.output<typeof createTeamBody>,
): Promise<Team> {
  return inTenant(async (tx) => {
    const teamId = await insertTeam(tx, {
      tenantId: principal.tenantId,
      name,
      description: description || null,
      createdBy: principal.userId,
    });
    return toTeam(await requireTeam(tx, principal, teamId));
  });
}

/** Changes only the given fields. An inactive team grants its members nothing. */
export function updateTeam(
  { principal, inTenant }: SignedInContext,
  teamId: number,
  body: z.output<typeof updateTeamBody>,
): Promise<Team> {
  const { is_active: isActive } = body;
  return inTenant(async (tx) => {
    const team = await requireTeamAlone(tx, principal, teamId);
    if (isActive !== undefined && isActive !== team.isActive && !managesAllTeams(principal)) {
      throw new ConsoleError(403, 'Only administrators activate and deactivate teams');
    }
    if (Object.keys(body).length > 0) {
      const description = body.description === '' ? null : body.description;
      await changeTeam(tx, principal.tenantId, teamId, { name: body.name, description, isActive });
    }
    return toTeam(await requireTeam(tx, principal, teamId));
  });
}

/** Deletes a team with its memberships and grants. */
export async function deleteTeam({ principal, inTenant }: SignedInContext, teamId: number): Promise<void> {
  const isDeleted = await inTenant((tx) => deleteTeamRow(tx, principal.tenantId, teamId));
  if (!isDeleted) throw notFound('Team');
}

/** Adds a user of the tenant, or reactivates an inactive member with the given role. */
export function addTeamMember(
  { principal, inTenant }: Pick<SignedInContext, 'principal' | 'inTenant'>,
  teamId: number,
  { user_id: userId, role }: z.output<typeof addTeamMemberBody>,
): Promise<TeamMember> {
  const { tenantId } = principal;
  return inTenant(async (tx) => {
    await requireTeamAlone(tx, principal, teamId);
    if (!(await isPersonOf(tx, tenantId, userId))) throw notFound('User');
    if (!(await joinTeam(tx, { tenantId, teamId, userId, role, addedBy: principal.userId }))) {
      throw new ConsoleError(409, 'This user is already a member of the team');
    }
    return toTeamMember(await requireMember(tx, tenantId, { teamId, userId }));
  });
}

/** Changes a member's role or active state in the team, never the account. */
export function updateTeamMember(
  { principal, inTenant }: SignedInContext,
  place: Place,
  { role, is_active: isActive }: z.output<typeof updateTeamMemberBody>,
): Promise<TeamMember> {
  const { tenantId } = principal;
  return inTenant(async (tx) => {
    await requireTeamAlone(tx, principal, place.teamId);
    await requireMember(tx, tenantId, place);
    if (role !== undefined || isActive !== undefined) {
      await changeMembership(tx, tenantId, place, { role, isActive });
    }
    return toTeamMember(await requireMember(tx, tenantId, place));
  });
}

export function removeTeamMember({ principal, inTenant }: SignedInContext, place: Place): Promise<void> {
  return inTenant(async (tx) => {
    await requireTeamAlone(tx, principal, place.teamId);
    if (!(await deleteMembership(tx, principal.tenantId, place))) throw notFound('Team member');
  });
}

/**
 * Returns a user's membership in a team that the caller manages.
 * @throws ConsoleError 404 if the user is not a member.
 */
async function requireMember(tx: TenantTransaction, tenantId: number, place: Place): Promise<MemberRow> {
  const member = await findMembership(tx, tenantId, place);
  if (!member) throw notFound('Team member');
  return member;
}
