import type { Team, teamsRoutes } from '@sluice/contract';
import type { RouteInput, SignedInContext } from '#http/console-route.ts';
import { toTeam } from './get.ts';
import { managesAllTeams } from './require-team.ts';
import { countTeams, selectTeams } from './store.ts';

/** Lists a page of the teams that the caller manages by name. */
export function listTeams(
  { principal, inTenant }: SignedInContext,
  { is_active: isActive, search, ...page }: RouteInput<typeof teamsRoutes.listTeams>['query'],
): Promise<{ teams: Team[]; total: number }> {
  const { tenantId, userId } = principal;
  const filters = { isActive, search, managerId: managesAllTeams(principal) ? undefined : userId };
  return inTenant(async (tx) => ({
    teams: (await selectTeams(tx, tenantId, filters, page)).map(toTeam),
    total: await countTeams(tx, tenantId, filters),
  }));
}
