import type { addTeamMemberBody, TeamMember } from '@sluice/contract';
import type { z } from 'zod';
import { ConsoleError, notFound } from '#errors/console-error.ts';
import type { SignedInContext } from '#http/console-route.ts';
import { toTeamMember } from './get.ts';
import { requireMember } from './require-member.ts';
import { requireTeamAlone } from './require-team.ts';
import { isPersonOf, joinTeam } from './store.ts';

/** Adds a user of the tenant, or reactivates an inactive member with the given role. */
export function addTeamMember(
  { principal, inTenant }: SignedInContext,
  teamId: number,
  { user_id: userId, role }: z.output<typeof addTeamMemberBody>,
): Promise<TeamMember> {
  const { tenantId } = principal;
  return inTenant(async (tx) => {
    await requireTeamAlone(tx, principal, teamId);
    if (!(await isPersonOf(tx, tenantId, userId))) throw notFound('User');
    if (!(await joinTeam(tx, { tenantId, teamId, userId, role, addedBy: principal.userId }))) {
      throw new ConsoleError(409, 'This user is already a member of the team');
    }
    return toTeamMember(await requireMember(tx, tenantId, { teamId, userId }));
  });
}
