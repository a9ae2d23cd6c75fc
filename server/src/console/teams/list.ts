import type { Team, teamsRoutes } from '@sluice/contract';
import type { RouteInput, SignedInContext } from '#http/console-route.ts';
import { toTeam, toTeamMember } from './get.ts';
import { managesAllTeams } from './require-team.ts';
import { countTeams, selectMembers, selectTeams } from './store.ts';

/** Lists a page of the teams that the caller manages by name, with their members. */
export function listTeams(
  { principal, inTenant }: SignedInContext,
  { is_active: isActive, search, ...page }: RouteInput<typeof teamsRoutes.listTeams>['query'],
): Promise<{ teams: Team[]; total: number }> {
  const { tenantId, userId } = principal;
  const filters = { isActive, search, managerId: managesAllTeams(principal) ? undefined : userId };
  return inTenant(async (tx) => {
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
  });
}
