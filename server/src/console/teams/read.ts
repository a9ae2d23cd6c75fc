import type { PickedUser, Team, TeamMember, teamsRoutes } from '@sluice/contract';
import type { LogTransaction, TenantTransaction } from '#db/tenant.ts';
import { type Author, isAllowed, type Principal } from '#domain/principal.ts';
import { notFound } from '#errors/console-error.ts';
import type { RouteInput } from '#http/console-route.ts';
import { describeMembers, describeTeams } from './describe.ts';
import {
  countTeams,
  findMembership,
  findTeam,
  lockTeam,
  selectAvailableUsers,
  selectMembers,
  selectTeams,
  type TeamRow,
} from './store.ts';

export async function getTeam(tx: TenantTransaction, author: Author, teamId: number): Promise<Team> {
  const team = await readTeam(tx, author, teamId);
  return { ...team, members: await readMembers(tx, author.tenantId, teamId) };
}

export async function listTeamMembers(
  tx: TenantTransaction,
  author: Author,
  teamId: number,
): Promise<TeamMember[]> {
  await requireTeam(tx, author, teamId);
  return readMembers(tx, author.tenantId, teamId);
}

async function readMembers(tx: TenantTransaction, tenantId: number, teamId: number): Promise<TeamMember[]> {
  return describeMembers(tx, tenantId, await selectMembers(tx, tenantId, [teamId]));
}

export async function readTeam(tx: TenantTransaction, principal: Author, teamId: number): Promise<Team> {
  const [team] = await describeTeams(tx, principal.tenantId, [await requireTeam(tx, principal, teamId)]);
  if (!team) throw notFound('Team');
  return team;
}

export async function listTeams(
  tx: LogTransaction,
  author: Principal,
  { is_active: isActive, search, ...page }: RouteInput<typeof teamsRoutes.listTeams>['query'],
): Promise<{ teams: Team[]; total: number }> {
  const { tenantId, userId } = author;
  const filters = { isActive, search, managerId: managesAllTeams(author) ? undefined : userId };
  const rows = await selectTeams(tx, tenantId, filters, page);
  const memberships = await selectMembers(
    tx,
    tenantId,
    rows.map(({ id }) => id),
  );
  const members = await describeMembers(tx, tenantId, memberships, tx.reports);
  const byTeam = Map.groupBy(members, (_, place) => memberships[place]?.teamId);
  return {
    teams: (await describeTeams(tx, tenantId, rows, tx.reports)).map((team) => ({
      ...team,
      members: byTeam.get(team.id) ?? [],
    })),
    total: await countTeams(tx, tenantId, filters),
  };
}

export async function listUsersAvailableForTeam(
  tx: TenantTransaction,
  author: Author,
  teamId: number,
): Promise<PickedUser[]> {
  await requireTeam(tx, author, teamId);
  return selectAvailableUsers(tx, author.tenantId, teamId);
}

/**
 * Returns whether the caller manages all teams of the tenant, like administrators do. Other users manage active teams
 * in which they are active team administrators.
 */
export function managesAllTeams(principal: Author): boolean {
  return isSignedIn(principal) ? isAllowed(principal, 'teams.write') : principal.role !== 'user';
}

/** The operator at the command line has no credential. */
const isSignedIn = (principal: Author): principal is Principal => 'credential' in principal;

/** @throws ConsoleError 404 if the team does not exist or the caller does not manage it */
export async function requireTeam(
  tx: TenantTransaction,
  principal: Author,
  teamId: number,
): Promise<TeamRow> {
  const team = await findTeam(tx, principal.tenantId, teamId);
  if (!team) throw notFound('Team');
  if (managesAllTeams(principal)) return team;
  if (principal.userId === null) throw notFound('Team');
  const membership = await findMembership(tx, principal.tenantId, { teamId, userId: principal.userId });
  if (!team.isActive || !membership?.isActive || membership.role !== 'admin') throw notFound('Team');
  return team;
}

/**
 * Returns and locks a team that the caller manages. All changes of a team and its members use this lock, so that
 * nobody can use permissions that are being removed.
 */
export async function requireTeamAlone(
  tx: TenantTransaction,
  principal: Author,
  teamId: number,
): Promise<TeamRow> {
  await lockTeam(tx, principal.tenantId, teamId);
  return requireTeam(tx, principal, teamId);
}
