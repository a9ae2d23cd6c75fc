import type { createInvitationBody, Invitation, RoleName } from '@sluice/contract';
import type { z } from 'zod';
import { countSeatsAlone, requireFreeSeat, requireMayAssign } from '#console/users/create.ts';
import type { TenantTransaction } from '#db/tenant.ts';
import type { Principal } from '#domain/principal.ts';
import { mayManage } from '#domain/role.ts';
import { ConsoleError, invalidField, notFound } from '#errors/console-error.ts';
import type { Mailbox } from '#mail/mailbox.ts';
import { type IssueDeps, issueLink } from './link.ts';
import { toInvitation } from './list.ts';
import { requireStartAccess } from './start-access.ts';
import {
  changeInvitation,
  countPending,
  findInvitation,
  type InvitationRow,
  insertInvitation,
  isAddressTaken,
} from './store.ts';

/** Active users and pending invitations each use a seat. */
export async function createInvitation(
  deps: IssueDeps,
  tx: TenantTransaction,
  author: Principal,
  body: z.output<typeof createInvitationBody>,
): Promise<Invitation> {
  requireMayAssign(author, body.role);
  const invitationId = await invitePerson(deps, tx, author, body);
  const row = await findInvitation(tx, author.tenantId, invitationId);
  if (!row) throw notFound('Invitation');
  return toInvitation(row);
}

export async function invitePerson(
  deps: IssueDeps,
  tx: TenantTransaction,
  inviter: Principal,
  { email, role, ...access }: z.output<typeof createInvitationBody>,
): Promise<number> {
  const { tenantId } = inviter;
  if (await isAddressTaken(tx, email)) throw invalidField('email', 'A user with this email already exists');
  await requireSeatToInvite(tx, tenantId, role);
  await requireStartAccess(tx, inviter, access);
  const issue = await issueLink(deps, tx, { principal: inviter, email, role });
  return insertInvitation(tx, { ...issue, tenantId, email, role, access });
}

/** Cancels an invitation that has not been accepted. */
export async function cancelInvitation(
  mailbox: Mailbox,
  tx: TenantTransaction,
  author: Principal,
  invitationId: number,
): Promise<Invitation> {
  const { tenantId } = author;
  const invitation = await requireOpenInvitation(tx, author, invitationId);
  await mailbox.withdraw(tx, tenantId, invitation.mailId);
  await changeInvitation(tx, tenantId, invitationId, { cancelledAt: new Date() });
  return toInvitation({ ...invitation, status: 'cancelled' });
}

export async function resendInvitation(
  deps: IssueDeps,
  tx: TenantTransaction,
  author: Principal,
  invitationId: number,
): Promise<Invitation> {
  const { tenantId } = author;
  const { email, role, mailId, status } = await requireOpenInvitation(tx, author, invitationId);
  if (await isAddressTaken(tx, email)) throw new ConsoleError(409, 'A user with this email already exists');
  if (status !== 'pending') await requireSeatToInvite(tx, tenantId, role);
  await deps.mailbox.withdraw(tx, tenantId, mailId);
  const issue = await issueLink(deps, tx, { principal: author, email, role });
  await changeInvitation(tx, tenantId, invitationId, issue);
  return toInvitation(await requireOpenInvitation(tx, author, invitationId));
}

/**
 * Locks and returns a pending or expired invitation.
 * @throws ConsoleError 404 if the tenant has no such invitation, 403 if the caller may not manage its role, 409 if
 * the invitation was accepted or cancelled
 */
async function requireOpenInvitation(
  tx: TenantTransaction,
  principal: Principal,
  invitationId: number,
): Promise<InvitationRow> {
  const invitation = await findInvitation(tx, principal.tenantId, invitationId);
  if (!invitation) throw notFound('Invitation');
  if (!mayManage(principal.role, invitation.role)) {
    throw new ConsoleError(403, 'Only a super administrator may manage this invitation');
  }
  if (invitation.status === 'accepted')
    throw new ConsoleError(409, 'This invitation has already been accepted');
  if (invitation.status === 'cancelled') throw new ConsoleError(409, 'This invitation has been cancelled');
  return invitation;
}

/**
 * Locks the tenant's plan and requires a free seat. Pending invitations for the same role each use a seat.
 * @throws ConsoleError 422 on `role` if there is no free seat
 */
async function requireSeatToInvite(tx: TenantTransaction, tenantId: number, role: RoleName): Promise<void> {
  const { taken, limits } = await countSeatsAlone(tx, tenantId);
  await requireFreeSeat(tx, tenantId, role, 'role');
  const limit = limits[role];
  const invited = await countPending(tx, tenantId, role);
  if (limit === null || taken[role] + invited < limit) return;
  const noun = role === 'admin' ? 'administrators' : 'users';
  throw invalidField(
    'role',
    `Your plan allows ${limit} ${noun}: ${taken[role]} active and ${invited} invited. Cancel an invitation or upgrade your plan.`,
  );
}
