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
import type { Author, Principal } from '#domain/principal.ts';
import { ConsoleError, notFound } from '#errors/console-error.ts';
import { describeMembers } from './describe.ts';
import { managesAllTeams, readTeam, requireTeamAlone } from './read.ts';
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

export async function createTeam(
  tx: TenantTransaction,
  author: Author,
  { name, description }: z.output<typeof createTeamBody>,
): Promise<Team> {
  const teamId = await insertTeam(tx, {
    tenantId: author.tenantId,
    name,
    description: description || null,
    createdBy: author.userId,
  });
  return readTeam(tx, author, teamId);
}

/** An inactive team grants no access to its members. */
export async function updateTeam(
  tx: TenantTransaction,
  author: Author,
  { teamId, body }: { readonly teamId: number; readonly body: z.output<typeof updateTeamBody> },
): Promise<Team> {
  const { is_active: isActive } = body;
  const team = await requireTeamAlone(tx, author, teamId);
  if (isActive !== undefined && isActive !== team.isActive && !managesAllTeams(author)) {
    throw new ConsoleError(403, 'Only administrators can activate and deactivate teams');
  }
  if (Object.keys(body).length > 0) {
    const description = body.description === '' ? null : body.description;
    await changeTeam(tx, author.tenantId, teamId, { name: body.name, description, isActive });
  }
  return readTeam(tx, author, teamId);
}

export async function deleteTeam(
  tx: TenantTransaction,
  { tenantId }: Pick<Principal, 'tenantId'>,
  teamId: number,
): Promise<void> {
  const isDeleted = await deleteTeamRow(tx, tenantId, teamId);
  if (!isDeleted) throw notFound('Team');
}

/** Adds a user of the tenant, or reactivates an inactive member with the given role. */
export async function addTeamMember(
  tx: TenantTransaction,
  author: Author,
  {
    teamId,
    body: { user_id: userId, role },
  }: { readonly teamId: number; readonly body: z.output<typeof addTeamMemberBody> },
): Promise<TeamMember> {
  const { tenantId } = author;
  await requireTeamAlone(tx, author, teamId);
  if (!(await isPersonOf(tx, tenantId, userId))) throw notFound('User');
  if (!(await joinTeam(tx, { tenantId, teamId, userId, role, addedBy: author.userId }))) {
    throw new ConsoleError(409, 'This user is already a member of the team');
  }
  return readMember(tx, tenantId, { teamId, userId });
}

/** Changes the membership, but not the user's account. */
export async function updateTeamMember(
  tx: TenantTransaction,
  author: Author,
  {
    place,
    body: { role, is_active: isActive },
  }: { readonly place: Place; readonly body: z.output<typeof updateTeamMemberBody> },
): Promise<TeamMember> {
  const { tenantId } = author;
  await requireTeamAlone(tx, author, place.teamId);
  await requireMember(tx, tenantId, place);
  if (role !== undefined || isActive !== undefined) {
    await changeMembership(tx, tenantId, place, { role, isActive });
  }
  return readMember(tx, tenantId, place);
}

export async function removeTeamMember(tx: TenantTransaction, author: Author, place: Place): Promise<void> {
  await requireTeamAlone(tx, author, place.teamId);
  if (!(await deleteMembership(tx, author.tenantId, place))) throw notFound('Team member');
}

/** @throws ConsoleError 404 if the user is not a member */
async function requireMember(tx: TenantTransaction, tenantId: number, place: Place): Promise<MemberRow> {
  const member = await findMembership(tx, tenantId, place);
  if (!member) throw notFound('Team member');
  return member;
}

async function readMember(tx: TenantTransaction, tenantId: number, place: Place): Promise<TeamMember> {
  const [member] = await describeMembers(tx, tenantId, [await requireMember(tx, tenantId, place)]);
  if (!member) throw notFound('Team member');
  return member;
}
