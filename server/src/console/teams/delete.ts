import { notFound } from '#errors/console-error.ts';
import type { SignedInContext } from '#http/console-route.ts';
import { deleteTeamRow } from './store.ts';

/** Deletes a team with its memberships and grants. */
export async function deleteTeam({ principal, inTenant }: SignedInContext, teamId: number): Promise<void> {
  const isDeleted = await inTenant((tx) => deleteTeamRow(tx, principal.tenantId, teamId));
  if (!isDeleted) throw notFound('Team');
}
