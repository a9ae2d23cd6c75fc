import type { SignedInContext } from '#http/console-route.ts';
import { sessionIdOf } from './session-id-of.ts';
import { endSessionRow } from './sessions-store.ts';

/** Ends the caller's session on every node. */
export async function logOut({ principal, inTenant }: SignedInContext): Promise<void> {
  await inTenant((tx) => endSessionRow(tx, principal, sessionIdOf(principal)));
}
