import type { Invitation } from '@sluice/contract';
import type { SignedInContext } from '#http/console-route.ts';
import type { Mailbox } from '#mail/mailbox.ts';
import { requireOpenInvitation } from './require-invitation.ts';
import { changeInvitation } from './store.ts';
import { toInvitation } from './to-invitation.ts';

/** Cancels an invitation that has not been accepted. */
export function cancelInvitation(
  mailbox: Mailbox,
  { principal, inTenant }: SignedInContext,
  invitationId: number,
): Promise<Invitation> {
  const { tenantId } = principal;
  return inTenant(async (tx) => {
    const invitation = await requireOpenInvitation(tx, principal, invitationId);
    await mailbox.withdraw(tx, tenantId, invitation.mailId);
    await changeInvitation(tx, tenantId, invitationId, { cancelledAt: new Date() });
    return toInvitation({ ...invitation, status: 'cancelled' });
  });
}
