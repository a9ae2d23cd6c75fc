import { notFound } from '#errors/console-error.ts';
import type { SignedInContext } from '#http/console-route.ts';
import { sessionIdOf } from './session-id-of.ts';
import { endOtherSessionRows, endSessionRow } from './sessions-store.ts';

/**
 * Ends one of the caller's sessions.
 * @throws ConsoleError 404 if the session has ended or belongs to another user.
 */
export async function endSession({ principal, inTenant }: SignedInContext, id: string): Promise<void> {
  const isEnded = await inTenant((tx) => endSessionRow(tx, principal, id));
  if (!isEnded) throw notFound('Session');
}

/** Ends all of the caller's sessions except the current one. */
export async function endOtherSessions({ principal, inTenant }: SignedInContext): Promise<void> {
  await inTenant((tx) => endOtherSessionRows(tx, principal, sessionIdOf(principal)));
}
