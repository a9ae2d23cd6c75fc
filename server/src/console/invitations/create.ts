import type { createInvitationBody, Invitation, RoleName } from '@sluice/contract';
import type { z } from 'zod';
import { requireMayAssign } from '#console/users/assign-role.ts';
import type { TenantTransaction } from '#db/tenant.ts';
import type { Principal } from '#domain/principal.ts';
import { invalidField, notFound } from '#errors/console-error.ts';
import type { SignedInContext } from '#http/console-route.ts';
import { type IssueDeps, issueLink } from './issue-link.ts';
import { requireSeatToInvite } from './require-seat.ts';
import { findInvitation, insertInvitation, isAddressTaken } from './store.ts';
import { toInvitation } from './to-invitation.ts';

/** Invites a user if the plan has a seat beyond active users and pending invitations. */
export function createInvitation(
  deps: IssueDeps,
  { principal, inTenant }: SignedInContext,
  body: z.output<typeof createInvitationBody>,
): Promise<Invitation> {
  requireMayAssign(principal, body.role);
  return inTenant(async (tx) => {
    const invitationId = await invitePerson(deps, tx, principal, body);
    const row = await findInvitation(tx, principal.tenantId, invitationId);
    if (!row) throw notFound('Invitation');
    return toInvitation(row);
  });
}

/** Invites a user into the inviter's effective tenant and returns the invitation's id. */
export async function invitePerson(
  deps: IssueDeps,
  tx: TenantTransaction,
  inviter: Principal,
  { email, role }: { email: string; role: RoleName },
): Promise<number> {
  const { tenantId } = inviter;
  if (await isAddressTaken(tx, email)) throw invalidField('email', 'A user with this email already exists');
  await requireSeatToInvite(tx, tenantId, role);
  const issue = await issueLink(deps, tx, { principal: inviter, email, role });
  return insertInvitation(tx, { ...issue, tenantId, email, role });
}
