import { notFound } from '#errors/console-error.ts';
import type { SignedInContext } from '#http/console-route.ts';
import { sessionIdOf } from './session-id-of.ts';
import { endOtherSessionRows, endSessionRow } from './sessions-store.ts';

/** Ends one of the caller's own sessions. @throws ConsoleError 404 for one that is over, or somebody else's. */
export async function endSession({ principal, inTenant }: SignedInContext, id: string): Promise<void> {
  const isEnded = await inTenant((tx) => endSessionRow(tx, principal, id));
  if (!isEnded) throw notFound('Session');
}

/** Ends all of the caller's sessions but the one that asks. */
export async function endOtherSessions({ principal, inTenant }: SignedInContext): Promise<void> {
  await inTenant((tx) => endOtherSessionRows(tx, principal, sessionIdOf(principal)));
}
