import type { TenantTransaction } from '#db/tenant.ts';
import type { Principal } from '#domain/principal.ts';
import { mayManage } from '#domain/role.ts';
import { ConsoleError, notFound } from '#errors/console-error.ts';
import { findInvitation, type InvitationRow } from './store.ts';

/**
 * Returns and locks an open invitation.
 * @throws ConsoleError 404 if the tenant does not have it, 403 if the caller may not manage its role, 409 if it is no
 * longer open.
 */
export async function requireOpenInvitation(
  tx: TenantTransaction,
  principal: Principal,
  invitationId: number,
): Promise<InvitationRow> {
  const invitation = await findInvitation(tx, principal.tenantId, invitationId);
  if (!invitation) throw notFound('Invitation');
  if (!mayManage(principal.role, invitation.role)) {
    throw new ConsoleError(403, 'Only a super administrator may manage this invitation');
  }
  if (invitation.status === 'accepted') throw new ConsoleError(409, 'This invitation was accepted already');
  if (invitation.status === 'cancelled') throw new ConsoleError(409, 'This invitation was cancelled');
  return invitation;
}
