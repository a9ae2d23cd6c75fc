import type { PickedUser, Team, TeamMember, teamsRoutes } from '@sluice/contract';
import type { TenantTransaction } from '#db/tenant.ts';
import { isAllowed, type Principal } from '#domain/principal.ts';
import { notFound } from '#errors/console-error.ts';
import type { RouteInput } from '#http/console-route.ts';
import {
  countTeams,
  findMembership,
  findTeam,
  lockTeam,
  type MemberRow,
  selectAvailableUsers,
  selectMembers,
  selectTeams,
  type TeamRow,
} from './store.ts';

export async function getTeam(tx: TenantTransaction, author: Principal, teamId: number): Promise<Team> {
  const team = await requireTeam(tx, author, teamId);
  return { ...toTeam(team), members: await readMembers(tx, author.tenantId, teamId) };
}

export async function listTeamMembers(
  tx: TenantTransaction,
  author: Principal,
  teamId: number,
): Promise<TeamMember[]> {
  await requireTeam(tx, author, teamId);
  return readMembers(tx, author.tenantId, teamId);
}

async function readMembers(tx: TenantTransaction, tenantId: number, teamId: number): Promise<TeamMember[]> {
  return (await selectMembers(tx, tenantId, [teamId])).map(toTeamMember);
}

export function toTeam(row: TeamRow): Team {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    is_active: row.isActive,
    created_at: row.createdAt.toISOString(),
    member_count: row.memberCount,
    admin_count: row.adminCount,
  };
}

export function toTeamMember(row: MemberRow): TeamMember {
  return {
    user_id: row.userId,
    user_name: row.userName,
    user_email: row.userEmail,
    role: row.role,
    is_active: row.isActive,
    joined_at: row.joinedAt.toISOString(),
  };
}

/** Lists a page of the teams that the caller manages by name, with their members. */
export async function listTeams(
  tx: TenantTransaction,
  author: Principal,
  { is_active: isActive, search, ...page }: RouteInput<typeof teamsRoutes.listTeams>['query'],
): Promise<{ teams: Team[]; total: number }> {
  const { tenantId, userId } = author;
  const filters = { isActive, search, managerId: managesAllTeams(author) ? undefined : userId };
  const rows = await selectTeams(tx, tenantId, filters, page);
  const members = await selectMembers(
    tx,
    tenantId,
    rows.map(({ id }) => id),
  );
  const byTeam = Map.groupBy(members, ({ teamId }) => teamId);
  return {
    teams: rows.map((row) => ({ ...toTeam(row), members: (byTeam.get(row.id) ?? []).map(toTeamMember) })),
    total: await countTeams(tx, tenantId, filters),
  };
}

/** Lists users whom the caller may add to a team, with only their name and email. */
export async function listUsersAvailableForTeam(
  tx: TenantTransaction,
  author: Principal,
  teamId: number,
): Promise<PickedUser[]> {
  await requireTeam(tx, author, teamId);
  return selectAvailableUsers(tx, author.tenantId, teamId);
}

/** Administrators manage all teams of their tenant; other users the active teams that they actively administer. */
export function managesAllTeams(principal: Principal): boolean {
  return isAllowed(principal, 'teams.write');
}

/**
 * Returns a team that the caller manages.
 * @throws ConsoleError 404 for any other team.
 */
export async function requireTeam(
  tx: TenantTransaction,
  principal: Principal,
  teamId: number,
): Promise<TeamRow> {
  const team = await findTeam(tx, principal.tenantId, teamId);
  if (!team) throw notFound('Team');
  if (managesAllTeams(principal)) return team;
  const membership = await findMembership(tx, principal.tenantId, { teamId, userId: principal.userId });
  if (!team.isActive || !membership?.isActive || membership.role !== 'admin') throw notFound('Team');
  return team;
}

/**
 * Returns the team like `requireTeam` and locks it. All changes of a team and its members use this lock, so that nobody
 * uses rights that are being removed.
 */
export async function requireTeamAlone(
  tx: TenantTransaction,
  principal: Principal,
  teamId: number,
): Promise<TeamRow> {
  await lockTeam(tx, principal.tenantId, teamId);
  return requireTeam(tx, principal, teamId);
}
