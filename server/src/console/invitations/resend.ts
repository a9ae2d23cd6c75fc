import type { Invitation } from '@sluice/contract';
import { ConsoleError } from '#errors/console-error.ts';
import type { SignedInContext } from '#http/console-route.ts';
import { type IssueDeps, issueLink } from './issue-link.ts';
import { requireOpenInvitation } from './require-invitation.ts';
import { requireSeatToInvite } from './require-seat.ts';
import { changeInvitation, isAddressTaken } from './store.ts';
import { toInvitation } from './to-invitation.ts';

/** Replaces the link, which is valid for seven days again; the caller becomes the inviter. */
export function resendInvitation(
  deps: IssueDeps,
  { principal, inTenant }: SignedInContext,
  invitationId: number,
): Promise<Invitation> {
  const { tenantId } = principal;
  return inTenant(async (tx) => {
    const { email, role, mailId, status } = await requireOpenInvitation(tx, principal, invitationId);
    if (await isAddressTaken(tx, email)) throw new ConsoleError(409, 'A user with this email already exists');
    if (status !== 'pending') await requireSeatToInvite(tx, tenantId, role);
    await deps.mailbox.withdraw(tx, tenantId, mailId);
    const issue = await issueLink(deps, tx, { principal, email, role });
    await changeInvitation(tx, tenantId, invitationId, issue);
    return toInvitation(await requireOpenInvitation(tx, principal, invitationId));
  });
}
