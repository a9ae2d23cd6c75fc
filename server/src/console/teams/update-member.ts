import type { TeamMember, updateTeamMemberBody } from '@sluice/contract';
import type { z } from 'zod';
import type { SignedInContext } from '#http/console-route.ts';
import { toTeamMember } from './get.ts';
import { requireMember } from './require-member.ts';
import { requireTeamAlone } from './require-team.ts';
import { changeMembership, type Place } from './store.ts';

/** Changes a member's role or active state in the team, never the account. */
export function updateTeamMember(
  { principal, inTenant }: SignedInContext,
  place: Place,
  { role, is_active: isActive }: z.output<typeof updateTeamMemberBody>,
): Promise<TeamMember> {
  const { tenantId } = principal;
  return inTenant(async (tx) => {
    await requireTeamAlone(tx, principal, place.teamId);
    await requireMember(tx, tenantId, place);
    if (role !== undefined || isActive !== undefined) {
      await changeMembership(tx, tenantId, place, { role, isActive });
    }
    return toTeamMember(await requireMember(tx, tenantId, place));
  });
}
