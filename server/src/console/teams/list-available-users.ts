import type { PickedUser } from '@sluice/contract';
import type { SignedInContext } from '#http/console-route.ts';
import { requireTeam } from './require-team.ts';
import { selectAvailableUsers } from './store.ts';

/** Lists users whom the caller may add to a team, with only their name and email. */
export function listUsersAvailableForTeam(
  { principal, inTenant }: SignedInContext,
  teamId: number,
): Promise<PickedUser[]> {
  return inTenant(async (tx) => {
    await requireTeam(tx, principal, teamId);
    return selectAvailableUsers(tx, principal.tenantId, teamId);
  });
}
