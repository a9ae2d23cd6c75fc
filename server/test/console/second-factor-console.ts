import { authRoutes, type SecondFactorChallenge, secondFactorRoutes } from '@sluice/contract';
import { createAuthHandlers } from '#console/auth/routes.ts';
import { createSecondFactorHandlers } from '#console/second-factor/routes.ts';
import { createSystemDatabase } from '#db/system.ts';
import type { Principal } from '#domain/principal.ts';
import { computeTotp, totpStepOf } from '#domain/totp.ts';
import { CodedError, ConsoleError } from '#errors/console-error.ts';
import { createMailbox } from '#mail/mailbox.ts';
import { createKeyring } from '#platform/keyring.ts';
import { createPasswordHasher } from '#platform/password.ts';
import { verifySessionToken } from '#platform/tokens.ts';
import type { TestDatabase } from '../database/database.ts';
import { type Caller, createTestConsole } from './console.ts';
import { createSoftwarePasskey } from './software-passkey.ts';

export const keyring = createKeyring('test');
export const passwords = createPasswordHasher();
export const password = 'correct horse';
export const passkeySite = { origin: 'https://sluice.test', domain: 'sluice.test' };

export const clock = { nowMs: Date.now() };

/**
 * Creates clients of the sign-in and second factor routes. The handlers are new, since handlers cache rejections in
 * memory.
 */
export function createSecondFactorConsole(database: TestDatabase) {
  const calls = createCalls(database);
  const steps = createSignInSteps(calls);
  return { ...calls, ...steps, ...createSetup(calls, steps) };
}

function createCalls(database: TestDatabase) {
  const deps = {
    database: createSystemDatabase(database.pool),
    keyring,
    passwords,
    clock: () => clock.nowMs,
    mailbox: createMailbox({ keyring, hasServer: true }),
    hasMailServer: true,
    publicUrl: passkeySite.origin,
  };
  const auth = createTestConsole(database.pool, authRoutes, createAuthHandlers(deps));
  const factors = createTestConsole(database.pool, secondFactorRoutes, createSecondFactorHandlers(deps));
  return { auth, factors };
}

type Calls = ReturnType<typeof createCalls>;

function createSignInSteps({ auth }: Pick<Calls, 'auth'>) {
  const enterPassword = (email: string, caller: Caller = {}) =>
    auth(caller).login({ form: { username: email, password } });

  /** Returns the challenge of a user with a second factor. */
  async function startSignIn(email: string, caller: Caller = {}): Promise<SecondFactorChallenge> {
    const refusal = await refusalOf(enterPassword(email, caller));
    if (!(refusal instanceof CodedError)) throw new Error(`expected a ticket, got ${refusal.message}`);
    // safe because issueTicket creates these fields
    return refusal.fields as SecondFactorChallenge;
  }

  async function holderOf(person: Principal, token: string): Promise<Principal> {
    const claims = await verifySessionToken(keyring.sessionKey, token, clock.nowMs);
    if (!claims) throw new Error('the token is not valid');
    return { ...person, credential: { kind: 'session', sessionId: claims.sessionId } };
  }

  async function signIn(person: Principal): Promise<Principal> {
    return holderOf(person, (await enterPassword(person.email)).access_token);
  }

  return { enterPassword, startSignIn, holderOf, signIn };
}

function createSetup(
  { factors }: Pick<Calls, 'factors'>,
  { signIn }: Pick<ReturnType<typeof createSignInSteps>, 'signIn'>,
) {
  async function addTotp(person: Principal) {
    const principal = await signIn(person);
    const { secret } = await factors({ principal }).startTotp();
    const { recovery_codes } = await factors({ principal }).confirmTotp({ body: { code: codeOf(secret) } });
    nextStep();
    return { secret, recoveryCodes: recovery_codes ?? [], principal };
  }

  async function addPasskey(principal: Principal, name = 'Laptop') {
    const passkey = createSoftwarePasskey(passkeySite);
    const { challenge, user } = (await factors({ principal }).startPasskey()) as {
      challenge: string;
      user: { id: string };
    };
    const body = { name, passkey: passkey.create({ challenge }) };
    const { recovery_codes } = await factors({ principal }).addPasskey({ body });
    return { passkey, recoveryCodes: recovery_codes, userHandle: user.id };
  }

  return { addTotp, addPasskey };
}

/** Returns the code that an authenticator app displays at the time of `clock`. */
export const codeOf = (secret: string, stepsAway = 0) =>
  computeTotp(secret, totpStepOf(clock.nowMs) + stepsAway);

export function nextStep(steps = 1): void {
  clock.nowMs += steps * 30_000;
}

export function wrongCode(secret: string): string {
  const valid = [-1, 0, 1].map((away) => codeOf(secret, away));
  return ['000000', '111111', '222222', '333333'].find((code) => !valid.includes(code)) ?? '';
}

export async function refusalOf(attempt: Promise<unknown>): Promise<ConsoleError> {
  const refusal = await attempt.then(
    () => new Error('expected a refusal'),
    (error: unknown) => error,
  );
  if (refusal instanceof ConsoleError) return refusal;
  throw refusal;
}

/** Returns one outcome per call: the error code, the status if the error has no code, or `accepted`. */
export async function outcomesOf(attempts: readonly Promise<unknown>[]): Promise<string[]> {
  const settled = await Promise.allSettled(attempts);
  return settled.map((one) => {
    if (one.status === 'fulfilled') return 'accepted';
    if (one.reason instanceof CodedError) return one.reason.fields.code;
    if (one.reason instanceof ConsoleError) return String(one.reason.status);
    throw one.reason;
  });
}
