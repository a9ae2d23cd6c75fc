import type { InvitationDetails, RoleName } from '@sluice/contract';
import type { AddressThrottle } from '#console/auth/attempt-throttle.ts';
import type { SystemDatabase } from '#db/system.ts';
import type { TenantTransaction } from '#db/tenant.ts';
import type { Principal } from '#domain/principal.ts';
import { ConsoleError } from '#errors/console-error.ts';
import type { RequestContext } from '#http/console-route.ts';
import { type Mailbox, mailWords } from '#mail/mailbox.ts';
import type { Clock } from '#platform/clock.ts';
import type { Keyring } from '#platform/keyring.ts';
import { makeLinkToken } from '#platform/tokens.ts';
import { lifetimeMs } from './expiry.ts';
import { findPending, findTenantName, type Issue, type PendingInvitation } from './store.ts';

export interface IssueDeps {
  readonly mailbox: Mailbox;
  readonly keyring: Pick<Keyring, 'hashLinkToken'>;
  readonly clock: Clock;
  /** Public base URL without a trailing slash. */
  readonly publicUrl: string;
}

/** The caller becomes the inviter. The email is queued. */
export async function issueLink(
  { mailbox, keyring, clock, publicUrl }: IssueDeps,
  tx: TenantTransaction,
  {
    principal,
    email,
    role,
  }: { principal: Pick<Principal, 'tenantId' | 'userId' | 'name'>; email: string; role: RoleName },
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
    subject: mailWords`${name} invited you to join ${company}`,
    body: mailWords`${name} invited you to join ${company} on Sluice.\n\nUse the link below to choose your name and password. It works once and expires after 7 days.`,
    action: 'Accept the invitation',
    link: { origin: publicUrl, path: `/invitation/${token}` },
    opensRole: role,
    expiresAt,
  });
  const tokenHash = keyring.hashLinkToken(token);
  return { tokenHash, invitedBy: userId, invitedByName: name, mailId, expiresAt };
}

export interface LinkDeps {
  readonly database: SystemDatabase;
  readonly keyring: Pick<Keyring, 'hashLinkToken'>;
  readonly throttle: AddressThrottle;
}

/** The invitation link authorizes the call. */
export async function getInvitationDetails(
  deps: LinkDeps,
  ctx: RequestContext,
  token: string,
): Promise<InvitationDetails> {
  const { companyName, inviterName, role, email } = await openLink(deps, ctx, token);
  return { company_name: companyName, inviter_name: inviterName, role_name: role, email };
}

/**
 * Finds the invitation of a link. Throttles IP addresses that try many invalid links.
 * @throws ConsoleError 404 if the link is unknown, used, cancelled or expired, or if the inviter may no longer invite
 * users; the cases are not distinguished
 */
export async function openLink(
  { database, keyring, throttle }: LinkDeps,
  { address }: RequestContext,
  token: string,
): Promise<PendingInvitation> {
  await throttle.count(address);
  const invitation = await findPending(database, keyring.hashLinkToken(token));
  if (!invitation) throw invalidLink();
  await throttle.takeBack(address);
  return invitation;
}

export function invalidLink(): ConsoleError {
  return new ConsoleError(404, 'Invitation not found or expired');
}
