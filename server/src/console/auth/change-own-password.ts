import type { changeOwnPasswordBody } from '@sluice/contract';
import type { z } from 'zod';
import { readSessionLifetimeMs } from '#console/sign-in-policy/policy.ts';
import { requireUncommonPassword } from '#console/users/change-password.ts';
import { ConsoleError, invalidField } from '#errors/console-error.ts';
import type { SignedInContext } from '#http/console-route.ts';
import { passwordSetter } from '#platform/password.ts';
import { signSessionToken } from '#platform/tokens.ts';
import type { AccountThrottle } from './attempt-throttle.ts';
import type { LogInDeps } from './log-in.ts';
import { renewedClaims, sessionIdOf } from './own-sessions.ts';
import { changePasswordHash, findPasswordHash, renewSession } from './sessions-store.ts';

/**
 * Changes the caller's password and ends all of their sessions except the current one. Returns a new token for the
 * current session.
 */
export async function changeOwnPassword(
  deps: LogInDeps,
  throttle: AccountThrottle,
  ctx: SignedInContext,
  body: z.output<typeof changeOwnPasswordBody>,
) {
  const { principal, inTenant } = ctx;
  requireUncommonPassword(body.new_password, 'new_password');
  const old = await requireCurrentPassword(deps, throttle, ctx, body.current_password);
  const hashes = { old, new: await deps.passwords.hash(body.new_password, passwordSetter(principal)) };
  const sessionId = sessionIdOf(principal);
  const nowMs = deps.clock();
  const { tokenVersion, lifetimeMs } = await inTenant(async (tx) => {
    const version = await changePasswordHash(tx, principal, { ...hashes, sessionId });
    if (version === undefined)
      throw new ConsoleError(
        409,
        'Your password was changed in the meantime, or your session has ended. Sign in again.',
      );
    const lifetime = await readSessionLifetimeMs(tx, principal.tenantId);
    const expiresAt = new Date(nowMs + lifetime);
    const provedAt = new Date(nowMs);
    await renewSession(tx, principal, { id: sessionId, tokenVersion: version, expiresAt, provedAt });
    return { tokenVersion: version, lifetimeMs: lifetime };
  });
  const claims = renewedClaims(principal, tokenVersion);
  return {
    message: 'Password changed successfully!',
    access_token: await signSessionToken(deps.keyring.sessionKey, claims, nowMs, lifetimeMs),
    token_type: 'bearer' as const,
  };
}

/** Verifies the current password and returns its hash. Attempts are throttled, because the session may be hijacked. */
export async function requireCurrentPassword(
  { passwords }: Pick<LogInDeps, 'passwords'>,
  throttle: AccountThrottle,
  { principal, inTenant }: SignedInContext,
  password: string,
  field = 'current_password',
): Promise<string> {
  const { userId } = principal;
  const hash = await inTenant((tx) => findPasswordHash(tx, principal));
  if (hash === undefined) throw new ConsoleError(401, 'Could not validate credentials');
  await throttle.count(userId);
  const isRight = await passwords.verify(password, hash, passwordSetter(principal)).catch(async (refusal) => {
    await throttle.takeBack(userId);
    throw refusal;
  });
  if (!isRight) throw invalidField(field, 'Current password is incorrect');
  await throttle.forgive(userId);
  return hash;
}
