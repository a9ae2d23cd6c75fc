import type { createInvitationBody, Invitation } from '@sluice/contract';
import type { z } from 'zod';
import { requireMayAssign } from '#console/users/assign-role.ts';
import { requireFreeSeat } from '#console/users/take-seat.ts';
import { invalidField, notFound } from '#errors/console-error.ts';
import type { SignedInContext } from '#http/console-route.ts';
import { type IssueDeps, issueLink } from './issue-link.ts';
import { findInvitation, insertInvitation, isAddressTaken } from './store.ts';
import { toInvitation } from './to-invitation.ts';

/** Invites a person. An invitation holds no seat of the plan: whoever accepts it takes one then, if one is left. */
export function createInvitation(
  deps: IssueDeps,
  { principal, inTenant }: SignedInContext,
  { email, role }: z.output<typeof createInvitationBody>,
): Promise<Invitation> {
  const { tenantId } = principal;
  requireMayAssign(principal, role);
  return inTenant(async (tx) => {
    if (await isAddressTaken(tx, email)) throw invalidField('email', 'A user with this email already exists');
    await requireFreeSeat(tx, tenantId, role, 'role');
    const issue = await issueLink(deps, tx, { principal, email, role });
    const invitationId = await insertInvitation(tx, { ...issue, tenantId, email, role });
    const row = await findInvitation(tx, tenantId, invitationId);
    if (!row) throw notFound('Invitation');
    return toInvitation(row);
  });
}
