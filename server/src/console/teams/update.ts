import type { Team, updateTeamBody } from '@sluice/contract';
import type { z } from 'zod';
import { ConsoleError } from '#errors/console-error.ts';
import type { SignedInContext } from '#http/console-route.ts';
import { toTeam } from './get.ts';
import { managesAllTeams, requireTeam, requireTeamAlone } from './require-team.ts';
import { changeTeam } from './store.ts';

/** Changes only the given fields. An inactive team grants its members nothing. */
export function updateTeam(
  { principal, inTenant }: SignedInContext,
  teamId: number,
  body: z.output<typeof updateTeamBody>,
): Promise<Team> {
  const { is_active: isActive } = body;
  return inTenant(async (tx) => {
    const team = await requireTeamAlone(tx, principal, teamId);
    if (isActive !== undefined && isActive !== team.isActive && !managesAllTeams(principal)) {
      throw new ConsoleError(403, 'Only administrators activate and deactivate teams');
    }
    if (Object.keys(body).length > 0) {
      const description = body.description === '' ? null : body.description;
      await changeTeam(tx, principal.tenantId, teamId, { name: body.name, description, isActive });
    }
    return toTeam(await requireTeam(tx, principal, teamId));
  });
}
