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

/** Returns the tenant, inviter, role and email of an invitation to the holder of its link. */
export async function getInvitationDetails(
  deps: LinkDeps,
  ctx: RequestContext,
  token: string,
): Promise<InvitationDetails> {
  const { companyName, inviterName, role, email } = await openLink(deps, ctx, token);
  return { company_name: companyName, inviter_name: inviterName, role_name: role, email };
}

/**
 * Finds the invitation of a link; throttles IPs that try many invalid links.
 * @throws ConsoleError 404, the same for unknown, used, cancelled and expired links, and if the inviter may no longer
 * invite.
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
