import type { AddressThrottle } from '#console/auth/attempt-throttle.ts';
import { requireUncommonPassword, setPassword } from '#console/users/change-password.ts';
import { changeAs } from '#db/system.ts';
import { ConsoleError } from '#errors/console-error.ts';
import type { RequestContext } from '#http/console-route.ts';
import { type PasswordHasher, passwordSetter } from '#platform/password.ts';
import type { PasswordResetDeps } from './request.ts';
import { deleteReset, findReset, lockReset } from './store.ts';

export interface ResetDeps extends PasswordResetDeps {
  readonly passwords: Pick<PasswordHasher, 'hash'>;
}

export async function getPasswordReset(
  deps: PasswordResetDeps,
  throttle: AddressThrottle,
  ctx: RequestContext,
  token: string,
): Promise<{ email: string; expires_at: string }> {
  const { email, expiresAt } = await openReset(deps, throttle, ctx, token);
  return { email, expires_at: expiresAt.toISOString() };
}

/** Only one of several concurrent calls succeeds. */
export async function resetPassword(
  deps: ResetDeps,
  throttle: AddressThrottle,
  ctx: RequestContext,
  { token, password }: { token: string; password: string },
): Promise<void> {
  const person = await openReset(deps, throttle, ctx, token);
  requireUncommonPassword(password);
  const passwordHash = await deps.passwords.hash(password, passwordSetter(person));
  await changeAs(deps.database, { ...ctx.actor, userId: person.userId }, async (tx) => {
    const reset = await lockReset(tx, deps.keyring.hashLinkToken(token), new Date(deps.clock()));
    if (!reset) throw invalidLink();
    await deleteReset(tx, reset.id);
    await deps.mailbox.withdraw(tx, reset.tenantId, reset.mailId);
    await setPassword(tx, reset.userId, passwordHash);
  });
}

async function openReset(
  { database, keyring, clock }: PasswordResetDeps,
  throttle: AddressThrottle,
  { address }: RequestContext,
  token: string,
) {
  await throttle.count(address);
  const reset = await findReset(database, keyring.hashLinkToken(token), new Date(clock()));
  if (!reset) throw invalidLink();
  await throttle.takeBack(address);
  return reset;
}

function invalidLink(): ConsoleError {
  return new ConsoleError(404, 'This link is no longer valid');
}
