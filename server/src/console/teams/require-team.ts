import type { TenantTransaction } from '#db/tenant.ts';
import { isAllowed, type Principal } from '#domain/principal.ts';
import { notFound } from '#errors/console-error.ts';
import { findMembership, findTeam, lockTeam, type TeamRow } from './store.ts';

/** Administrators manage every team of their tenant; others the active ones that they are active administrators of. */
export function managesAllTeams(principal: Principal): boolean {
  return isAllowed(principal, 'teams.write');
}

/** A team that the caller manages. @throws ConsoleError 404 for every other one. */
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
 * Like `requireTeam`, and the team is this transaction's alone: whoever changes a team or its members comes by here,
 * so that nobody acts upon rights that are being taken away.
 */
export async function requireTeamAlone(
  tx: TenantTransaction,
  principal: Principal,
  teamId: number,
): Promise<TeamRow> {
  await lockTeam(tx, principal.tenantId, teamId);
  return requireTeam(tx, principal, teamId);
}
