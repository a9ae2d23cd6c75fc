import type { RoleName } from '@sluice/contract';
import type { TenantTransaction } from '#db/tenant.ts';
import type { Principal } from '#domain/principal.ts';
import { mailWords } from '#mail/mail-words.ts';
import type { Mailbox } from '#mail/mailbox.ts';
import type { Clock } from '#platform/clock.ts';
import type { Keyring } from '#platform/keyring.ts';
import { makeLinkToken } from '#platform/link-token.ts';
import { lifetimeMs } from './expiry.ts';
import { findTenantName, type Issue } from './store.ts';

export interface IssueDeps {
  readonly mailbox: Mailbox;
  readonly keyring: Pick<Keyring, 'hashLinkToken'>;
  readonly clock: Clock;
  /** Public base URL without a trailing slash. */
  readonly publicUrl: string;
}

/** Creates a new link and queues its mail; the caller becomes the inviter. */
export async function issueLink(
  { mailbox, keyring, clock, publicUrl }: IssueDeps,
  tx: TenantTransaction,
  { principal, email, role }: { principal: Principal; email: string; role: RoleName },
): Promise<Issue> {
  const { tenantId, userId, name } = principal;
  const company = await findTenantName(tx, tenantId);
  const token = makeLinkToken();
  const expiresAt = new Date(clock() + lifetimeMs);
  const mailId = await mailbox.put(tx, {
    effect: 'invitation',
    tenantId,
    actorId: userId,
    to: email,
    subject: mailWords`${name} invites you to ${company}`,
    body: mailWords`${name} invites you to join ${company} on Sluice.\n\nThe link below opens a page on which you choose your name and password. It works once, and for 7 days.`,
    action: 'Accept the invitation',
    link: `${publicUrl}/invitation/${token}`,
    opensRole: role,
    expiresAt,
  });
  const tokenHash = keyring.hashLinkToken(token);
  return { tokenHash, invitedBy: userId, invitedByName: name, mailId, expiresAt };
}
