import { isPlainLine, parseEmail } from '@sluice/contract';
import { acceptPending } from '#console/invitations/accept.ts';
import { readSignInPolicy } from '#console/sign-in-policy/policy.ts';
import { addPerson } from '#console/users/create.ts';
import type { SystemDatabase } from '#db/system.ts';
import type { MappedRole } from '#domain/identity-mapping.ts';
import { domainOf } from '#domain/mail-domain.ts';
import { ConsoleError } from '#errors/console-error.ts';
import type { Mailbox } from '#mail/mailbox.ts';
import type { Claims } from '#openid/openid-client.ts';
import { makeUnmatchableHash } from '#platform/password.ts';
import {
  type AccountRow,
  deleteWaitingIdentities,
  findDomainOwner,
  findIdentity,
  findInvitedToken,
  findRoleId,
  hasIdentity,
  type IdentityRow,
  insertIdentity,
  isSuspended,
  lockAccount,
  type ProviderRow,
} from './store.ts';

export interface Arrival {
  readonly provider: ProviderRow;
  readonly claims: Claims;
  readonly role: MappedRole;
}

/**
 * Account of the user, or the reason why the sign-in is refused. `how` explains the result when a provider is tested.
 */
export type FoundAccount =
  | { readonly account: AccountRow; readonly identity: IdentityRow; readonly how: string }
  | { readonly refusal: string };

const waits =
  'Your identity is not linked to your account yet. Ask an administrator to confirm it under Identity providers.';

/**
 * Finds a user's account by issuer and subject. A new subject is linked to the account with its verified email if the
 * tenant owns the email's domain, and the account is not a super administrator's and has no other identity of this
 * provider. Otherwise an administrator must confirm the link.
 */
export async function findAccount(
  tx: SystemDatabase,
  mailbox: Mailbox,
  arrival: Arrival,
): Promise<FoundAccount> {
  const { provider, claims } = arrival;
  const key = { identityProviderId: provider.id, issuer: provider.issuer, subject: claims.sub };
  const identity = await findIdentity(tx, key);
  if (identity) {
    const account = await lockAccount(tx, { id: identity.userId });
    if (!account) throw new Error('the user of an identity does not exist');
    // The provider may have been shared when the identity was linked.
    if (!provider.isShared && account.tenantId !== provider.tenantId) return { refusal: noAccount };
    // A link must not outlast a promotion to super administrator, because a tenant administrator can arrange it. A
    // trigger of `users` deletes confirmations at a promotion.
    const isConfirmed =
      identity.confirmedAt !== null && (account.role !== 'super_admin' || identity.confirmedBy !== null);
    if (!isConfirmed) return { refusal: waits };
    return { account, identity, how: `Signs in as ${account.name}, who is linked to this identity.` };
  }
  const email = readEmail(claims);
  if (email === null)
    return { refusal: `${provider.name} did not report a valid email address (claim email).` };
  const { emailDomains } = provider;
  if (emailDomains.length > 0 && !emailDomains.includes(domainOf(email)))
    return { refusal: `${provider.name} is not for the domain ${domainOf(email)}. Ask your administrator.` };
  const owner = await findDomainOwner(tx, domainOf(email));
  const home = provider.isShared ? owner : provider.tenantId;
  const isOwned = home !== null && owner === home;
  const isVerified = isEmailVerified(provider, claims);
  const account = await lockAccount(tx, { email });
  if (account && account.tenantId === home)
    return linkAccount(tx, { key, email, account, isVerified, isProven: isOwned && isVerified });
  if (!isOwned) return { refusal: `The domain ${domainOf(email)} is not confirmed for your organization.` };
  if (!isVerified)
    return { refusal: `${provider.name} did not confirm the email address (claim email_verified).` };
  if (account) return { refusal: noAccount };
  return addAccount(tx, mailbox, { ...arrival, email, tenantId: home, key });
}

interface Key {
  readonly identityProviderId: number;
  readonly issuer: string;
  readonly subject: string;
}

async function linkAccount(
  tx: SystemDatabase,
  found: { key: Key; email: string; account: AccountRow; isVerified: boolean; isProven: boolean },
): Promise<FoundAccount> {
  const { key, email, account, isVerified, isProven } = found;
  const isLinked =
    isProven &&
    account.role !== 'super_admin' &&
    !(await hasIdentity(tx, account.id, key.identityProviderId));
  if (!isLinked) await deleteWaitingIdentities(tx, account.id, key.identityProviderId);
  const identity = await insertIdentity(tx, {
    ...key,
    email,
    isEmailVerified: isVerified,
    tenantId: account.tenantId,
    userId: account.id,
    // A role above `user` was assigned manually.
    ...(account.role === 'user' && { mappedRole: account.role }),
    ...(isLinked && { confirmedAt: new Date() }),
  });
  if (!isLinked) return { refusal: waits };
  return {
    account,
    identity,
    how: `Links this identity to the account of ${account.name}, by the verified email.`,
  };
}

const noAccount = 'You have no account here. Ask an administrator to invite you.';

async function addAccount(
  tx: SystemDatabase,
  mailbox: Mailbox,
  { provider, claims, role, email, tenantId, key }: Arrival & { email: string; tenantId: number; key: Key },
): Promise<FoundAccount> {
  if (await isSuspended(tx, tenantId))
    return { refusal: 'Your organization is suspended, so no accounts are added.' };
  const person = { name: readName(claims, email), passwordHash: makeUnmatchableHash() };
  const invited = await findInvitedToken(tx, tenantId, email);
  const accepted = invited ? await acceptPending(tx, mailbox, invited, person) : null;
  const createsUsers =
    provider.createsUsers && (await readSignInPolicy(tx, tenantId)).new_accounts === 'created';
  if (!accepted && !createsUsers) return { refusal: noAccount };
  const userId = accepted?.userId ?? (await addUser(tx, { ...person, tenantId, email, role }));
  const account = await lockAccount(tx, { id: userId });
  if (!account) throw new Error('the new user does not exist');
  const identity = await insertIdentity(tx, {
    ...key,
    email,
    isEmailVerified: true,
    tenantId,
    userId,
    confirmedAt: new Date(),
    // The role of an invitation counts as manually assigned.
    ...(!accepted && { mappedRole: role }),
  });
  const how = accepted ? 'Accepts the invitation of this email.' : `Adds an account with the role ${role}.`;
  return { account, identity, how };
}

/** Adds a user. Joins field errors into one sentence, because the sign-in page lacks the fields of the user form. */
async function addUser(
  tx: SystemDatabase,
  {
    role,
    ...columns
  }: { tenantId: number; email: string; name: string; passwordHash: string; role: MappedRole },
): Promise<number> {
  try {
    return await addPerson(tx, { ...columns, role, roleId: await findRoleId(tx, role) });
  } catch (error) {
    if (!(error instanceof ConsoleError) || error.status !== 422) throw error;
    throw new ConsoleError(409, error.message);
  }
}

/** Returns the canonical email; `null` if there is no valid email. */
export function readEmail({ email }: Claims): string | null {
  return typeof email === 'string' && email.length <= 320 ? parseEmail(email) : null;
}

const googleIssuer = 'https://accounts.google.com';

/**
 * Returns whether the provider has verified the email. Some directories send strings; `xms_edov` is Entra ID's claim.
 * Google only verifies emails of Workspace accounts (`hd`): others may have any email that was once readable.
 */
export function isEmailVerified(
  { issuer, trustsEmails }: Pick<ProviderRow, 'issuer' | 'trustsEmails'>,
  claims: Claims,
): boolean {
  if (issuer.replace(/\/+$/, '') === googleIssuer && claims.hd !== domainOf(readEmail(claims) ?? ''))
    return false;
  const said = claims.email_verified ?? claims.xms_edov;
  if (said === undefined) return trustsEmails;
  return said === true || said === 'true' || said === 1 || said === '1';
}

const nameMax = 200;

/**
 * Returns a name that is safe in emails and pages. If the name is not a plain line, returns the mailbox name instead.
 */
function readName({ name, given_name: given, family_name: family }: Claims, email: string): string {
  const joined = [given, family].filter((part) => typeof part === 'string').join(' ');
  const names = [name, joined].filter((one) => typeof one === 'string').map((one) => one.trim());
  const usable = names.find((one) => one !== '' && one.length <= nameMax && isPlainLine(one));
  return usable ?? email.slice(0, email.lastIndexOf('@'));
}
