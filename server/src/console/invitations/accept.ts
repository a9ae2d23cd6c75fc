import type { acceptInvitationBody } from '@sluice/contract';
import type { z } from 'zod';
import { requireUncommonPassword } from '#console/users/change-password.ts';
import { addPerson } from '#console/users/create.ts';
import { changeAs, type SystemDatabase } from '#db/system.ts';
import { ConsoleError } from '#errors/console-error.ts';
import type { RequestContext } from '#http/console-route.ts';
import type { Mailbox } from '#mail/mailbox.ts';
import type { PasswordHasher } from '#platform/password.ts';
import { invalidLink, type LinkDeps, openLink } from './link.ts';
import { giveStartAccess, quotasOf } from './start-access.ts';
import { lockPending, markAccepted, type PendingInvitation } from './store.ts';

export interface AcceptDeps extends LinkDeps {
  readonly passwords: Pick<PasswordHasher, 'hash'>;
  readonly mailbox: Mailbox;
}

/** Only one of several concurrent calls succeeds. */
export async function acceptInvitation(
  deps: AcceptDeps,
  ctx: RequestContext,
  token: string,
  { name, password }: z.output<typeof acceptInvitationBody>,
): Promise<{ message: string; email: string }> {
  const { id, tenantId } = await openLink(deps, ctx, token);
  requireUncommonPassword(password);
  const caller = {
    purpose: 'set-password',
    group: `tenant:${tenantId}`,
    member: `invitation:${id}`,
  } as const;
  const passwordHash = await deps.passwords.hash(password, caller);
  return changeAs(deps.database, ctx.actor, async (tx) => {
    const accepted = await acceptPending(tx, deps.mailbox, deps.keyring.hashLinkToken(token), {
      name,
      passwordHash,
    });
    if (!accepted) throw invalidLink();
    return {
      message: 'Account created successfully! You can now log in with your credentials.',
      email: accepted.email,
    };
  });
}

/** Returns `null` if the invitation is no longer valid. */
export async function acceptPending(
  tx: SystemDatabase,
  mailbox: Mailbox,
  tokenHash: Buffer,
  chosen: { readonly name: string; readonly passwordHash: string },
): Promise<{ readonly userId: number; readonly email: string } | null> {
  const invitation = await lockPending(tx, tokenHash);
  if (!invitation) return null;
  const userId = await addInvited(tx, invitation, chosen);
  await giveStartAccess(tx, invitation, userId);
  await markAccepted(tx, invitation, userId);
  await mailbox.withdraw(tx, invitation.tenantId, invitation.mailId);
  return { userId, email: invitation.email };
}

/** Joins field errors into one sentence, because the invitation page lacks the fields of the user form. */
async function addInvited(
  tx: SystemDatabase,
  { tenantId, roleId, role, email, access }: PendingInvitation,
  chosen: { name: string; passwordHash: string },
): Promise<number> {
  try {
    return await addPerson(tx, { tenantId, roleId, role, email, ...chosen, quotas: quotasOf(access) });
  } catch (error) {
    if (!(error instanceof ConsoleError) || error.status !== 422) throw error;
    throw new ConsoleError(409, error.message);
  }
}
