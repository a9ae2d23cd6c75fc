import type { PickedUser } from '@sluice/contract';
import type { SignedInContext } from '#http/console-route.ts';
import { requireTeam } from './require-team.ts';
import { selectAvailableUsers } from './store.ts';

/** Whom the caller may add to a team; all that a team's administrator learns of them is who they are. */
export function listUsersAvailableForTeam(
  { principal, inTenant }: SignedInContext,
  teamId: number,
): Promise<PickedUser[]> {
  return inTenant(async (tx) => {
    await requireTeam(tx, principal, teamId);
    return selectAvailableUsers(tx, principal.tenantId, teamId);
  });
}
