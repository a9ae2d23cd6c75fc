import type { TenantTransaction } from '#db/tenant.ts';
import { isAllowed, type Principal } from '#domain/principal.ts';
import { notFound } from '#errors/console-error.ts';
import { findMembership, findTeam, lockTeam, type TeamRow } from './store.ts';

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
