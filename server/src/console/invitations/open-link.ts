import type { InvitationDetails } from '@sluice/contract';
import type { AddressThrottle } from '#console/auth/throttle.ts';
import type { SystemDatabase } from '#db/system.ts';
import { ConsoleError } from '#errors/console-error.ts';
import type { RequestContext } from '#http/console-route.ts';
import type { Keyring } from '#platform/keyring.ts';
import { findPending, type PendingInvitation } from './store.ts';

export interface LinkDeps {
  readonly database: SystemDatabase;
  readonly keyring: Pick<Keyring, 'hashLinkToken'>;
  readonly throttle: AddressThrottle;
}

/** Who invites whom, for the holder of a link. */
export async function getInvitationDetails(
  deps: LinkDeps,
  ctx: RequestContext,
  token: string,
): Promise<InvitationDetails> {
  const { companyName, inviterName, role, email } = await openLink(deps, ctx, token);
  return { company_name: companyName, inviter_name: inviterName, role_name: role, email };
}

/**
 * The invitation behind a link. An address that tries too many worthless ones has to wait.
 * @throws ConsoleError 404 alike for unknown, used, cancelled and expired ones, and those whose inviter may invite no more.
 */
export async function openLink(
  { database, keyring, throttle }: LinkDeps,
  { address }: RequestContext,
  token: string,
): Promise<PendingInvitation> {
  await throttle.count(address);
  const invitation = await findPending(database, keyring.hashLinkToken(token));
  if (!invitation) throw worthlessLink();
  await throttle.takeBack(address);
  return invitation;
}

export function worthlessLink(): ConsoleError {
  return new ConsoleError(404, 'Invitation not found or expired');
}
