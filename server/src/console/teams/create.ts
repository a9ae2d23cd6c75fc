import type { createTeamBody, Team } from '@sluice/contract';
import type { z } from 'zod';
import type { SignedInContext } from '#http/console-route.ts';
import { toTeam } from './get.ts';
import { requireTeam } from './require-team.ts';
import { insertTeam } from './store.ts';

export function createTeam(
  { principal, inTenant }: SignedInContext,
  { name, description }: z.output<typeof createTeamBody>,
): Promise<Team> {
  return inTenant(async (tx) => {
    const teamId = await insertTeam(tx, {
      tenantId: principal.tenantId,
      name,
      description: description || null,
      createdBy: principal.userId,
    });
    return toTeam(await requireTeam(tx, principal, teamId));
  });
}
