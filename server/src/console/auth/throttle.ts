import type { SystemDatabase } from '#db/system.ts';
import {
  accountRule,
  addressRule,
  formatWait,
  networkOf,
  secondsLeft,
  type ThrottleRule,
  windowStartMs,
} from '#domain/sign-in-throttle.ts';
import { ConsoleError } from '#errors/console-error.ts';
import type { Clock } from '#platform/clock.ts';
import { createRecentRefusals, type RecentRefusals } from './recent-refusals.ts';
import { countAttempt, deleteAttempts, deleteAttemptsBefore, takeBackAttempt } from './store.ts';

/** Counts sign-in tries by address and by account, before any hashing. */
export interface Throttle {
  /** @throws ConsoleError 429 when the address has used up its tries. */
  countAddress(address: string): Promise<void>;
  /** By address and e-mail address: what was just refused is not looked up again. */
  readonly refusals: RecentRefusals;
  /** @throws ConsoleError 429 when the account has used up its tries. */
  countAccount(account: string): Promise<void>;
  /** One try less: the password was not looked at. */
  takeBackAddress(address: string): Promise<void>;
  takeBackAccount(account: string): Promise<void>;
  /** A success: the account starts anew, and the address gets this one try back. */
  forgive(address: string, account: string): Promise<void>;
}

/** Counts what one address tries, of a kind of its own. */
export interface AddressThrottle {
  /** @throws ConsoleError 429 when the address has used up its tries. */
  count(address: string): Promise<void>;
  /** One try less: it was a success, or nobody's fault. */
  takeBack(address: string): Promise<void>;
}

/** Counts what is tried at one account, of a kind of its own. */
export interface AccountThrottle {
  /** @throws ConsoleError 429 when the account has used up its tries. */
  count(userId: number): Promise<void>;
  /** One try less: it was nobody's fault. */
  takeBack(userId: number): Promise<void>;
  /** A success: the account starts anew. */
  forgive(userId: number): Promise<void>;
}

export function createThrottle(database: SystemDatabase, clock: Clock): Throttle {
  const noun = 'sign-in attempts';
  const count = createCounter(database, clock, noun);
  const addresses = createAddressThrottle(database, clock, { subject: 'address', noun });
  return {
    countAddress: addresses.count,
    refusals: createRecentRefusals(clock),
    countAccount: (account) => count(account, accountRule),
    takeBackAddress: addresses.takeBack,
    takeBackAccount: (account) =>
      takeBackAttempt(database, account, new Date(windowStartMs(accountRule, clock()))),
    forgive: async (address, account) => {
      await Promise.all([deleteAttempts(database, account), addresses.takeBack(address)]);
    },
  };
}

/** Like `createAddressThrottle`. */
export function createAccountThrottle(
  database: SystemDatabase,
  clock: Clock,
  { subject, noun }: { subject: string; noun: string },
): AccountThrottle {
  const count = createCounter(database, clock, noun);
  const subjectOf = (userId: number) => `${subject}:${userId}`;
  return {
    count: (userId) => count(subjectOf(userId), accountRule),
    takeBack: (userId) =>
      takeBackAttempt(database, subjectOf(userId), new Date(windowStartMs(accountRule, clock()))),
    forgive: (userId) => deleteAttempts(database, subjectOf(userId)),
  };
}

/** `subject` keeps these tries apart from those of other kinds; `noun` is what they are called in the refusal. */
export function createAddressThrottle(
  database: SystemDatabase,
  clock: Clock,
  { subject, noun }: { subject: string; noun: string },
): AddressThrottle {
  const count = createCounter(database, clock, noun);
  const subjectOf = (address: string) => `${subject}:${networkOf(address)}`;
  return {
    count: (address) => count(subjectOf(address), addressRule),
    takeBack: (address) =>
      takeBackAttempt(database, subjectOf(address), new Date(windowStartMs(addressRule, clock()))),
  };
}

function createCounter(database: SystemDatabase, clock: Clock, noun: string) {
  let sweptAtMs = clock();
  const refusals = createRecentRefusals(clock);
  return async (subject: string, rule: ThrottleRule): Promise<void> => {
    refusals.check(subject);
    const nowMs = clock();
    if (nowMs - sweptAtMs >= addressRule.windowMs) {
      sweptAtMs = nowMs;
      await deleteAttemptsBefore(database, new Date(windowStartMs(addressRule, nowMs)));
    }
    const tries = await countAttempt(database, subject, new Date(windowStartMs(rule, nowMs)));
    if (tries <= rule.triesMax) return;
    const seconds = secondsLeft(rule, nowMs);
    const refusal = new ConsoleError(429, `Too many ${noun}. Try again in ${formatWait(seconds)}.`, seconds);
    refusals.note(subject, refusal);
    throw refusal;
  };
}
