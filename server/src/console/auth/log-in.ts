import { createHash } from 'node:crypto';
import type { loginForm, session } from '@sluice/contract';
import type { z } from 'zod';
import { requireLocalSignIn } from '#console/sign-in-policy/policy.ts';
import { issueTicket } from '#console/sign-in-tickets/tickets.ts';
import { changeAs, type SystemDatabase } from '#db/system.ts';
import { networkOf } from '#domain/caller-network.ts';
import { ConsoleError } from '#errors/console-error.ts';
import type { RequestContext } from '#http/console-route.ts';
import type { Clock } from '#platform/clock.ts';
import type { Keyring } from '#platform/keyring.ts';
import {
  type HashCaller,
  makeUnmatchableHash,
  needsRehash,
  type PasswordHasher,
} from '#platform/password.ts';
import type { Throttle } from './attempt-throttle.ts';
import { openSession } from './open-session.ts';
import { type Account, findAccount, replacePasswordHash } from './store.ts';

export interface LogInDeps {
  readonly database: SystemDatabase;
  readonly keyring: Pick<Keyring, 'sessionKey' | 'sealingKey' | 'hashLinkToken'>;
  readonly passwords: PasswordHasher;
  readonly clock: Clock;
}

const unmatchableHash = makeUnmatchableHash();

/**
 * Exchanges an email and a password for a session token. An unknown email takes the same steps as a wrong password.
 * The token contains the version read before the password check, so that a concurrent block invalidates it.
 * @throws CodedError 401 with a ticket if the account has a second factor
 * @throws ConsoleError 401 if the email or password is wrong, 403 if the account or its sign-in policy does not allow
 * this, 429 after too many attempts
 */
export async function logIn(
  deps: LogInDeps,
  throttle: Throttle,
  ctx: RequestContext,
  form: z.output<typeof loginForm>,
): Promise<z.infer<typeof session>> {
  const email = form.username.trim();
  const pair = `${ctx.address} ${email.toLowerCase()}`;
  throttle.refusals.check(pair);
  await throttle.countAddress(ctx.address);
  const account = await findAccount(deps.database, email, ctx.address);
  const triedAccount = nameAccount(account, email, ctx.address);
  const takeBackAddress = () => throttle.takeBackAddress(ctx.address);
  const takeBackBoth = () => Promise.all([takeBackAddress(), throttle.takeBackAccount(triedAccount)]);
  // A rejection before the password check must not count against other users of the IP address.
  await undoOnRefusal(throttle.countAccount(triedAccount), async (refusal) => {
    if (refusal instanceof ConsoleError) throttle.refusals.note(pair, refusal);
    await takeBackAddress();
  });
  const caller = hashCallerOf(ctx, triedAccount);
  const known = account?.passwordHash ?? unmatchableHash;
  const isRight = await undoOnRefusal(deps.passwords.verify(form.password, known, caller), takeBackBoth);
  if (!account || !isRight) throw new ConsoleError(401, 'Incorrect email or password');
  if (!account.isActive) {
    throw new ConsoleError(403, 'This account is inactive. Ask your administrator.');
  }
  await throttle.forgive(ctx.address, triedAccount);
  if (needsRehash(account.passwordHash)) {
    const hashes = { old: account.passwordHash, new: await deps.passwords.hash(form.password, caller) };
    await changeAs(deps.database, { ...ctx.actor, userId: account.id }, (tx) =>
      replacePasswordHash(tx, account.id, hashes),
    );
  }
  if (account.hasSecondFactor) {
    await requireLocalSignIn(deps.database, account, 'passwords');
    throw await issueTicket(deps, ctx, account);
  }
  const access_token = await deps.database.transaction(async (tx) => {
    await requireLocalSignIn(tx, account, 'passwords');
    return openSession(deps, tx, ctx, account);
  });
  return { access_token, token_type: 'bearer' };
}

/**
 * Returns the throttle subject of an account. IP addresses from which the user has signed in before have a separate
 * subject, so that other clients cannot lock the user out.
 */
function nameAccount(account: Account | undefined, email: string, address: string): string {
  if (!account) return `email:${createHash('sha256').update(email.toLowerCase()).digest('hex')}`;
  return account.isAddressKnown ? `account:${account.id}:${address}` : `account:${account.id}`;
}

export async function undoOnRefusal<Result>(
  work: Promise<Result>,
  undo: (refusal: unknown) => Promise<unknown>,
): Promise<Result> {
  try {
    return await work;
  } catch (refusal) {
    await undo(refusal);
    throw refusal;
  }
}

function hashCallerOf({ address }: RequestContext, triedAccount: string): HashCaller {
  return { purpose: 'sign-in', group: networkOf(address), member: triedAccount };
}
