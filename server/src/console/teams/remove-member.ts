import { notFound } from '#errors/console-error.ts';
import type { SignedInContext } from '#http/console-route.ts';
import { requireTeamAlone } from './require-team.ts';
import { deleteMembership, type Place } from './store.ts';

export function removeTeamMember({ principal, inTenant }: SignedInContext, place: Place): Promise<void> {
  return inTenant(async (tx) => {
    await requireTeamAlone(tx, principal, place.teamId);
    if (!(await deleteMembership(tx, principal.tenantId, place))) throw notFound('Team member');
  });
}
