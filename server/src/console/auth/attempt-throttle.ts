import type { SystemDatabase } from '#db/system.ts';
import { networkOf } from '#domain/caller-network.ts';
import { formatWait } from '#domain/format-time.ts';
import {
  accountRule,
  addressRule,
  dayRule,
  secondsLeft,
  type ThrottleRule,
  windowStartMs,
} from '#domain/sign-in-throttle.ts';
import { ConsoleError } from '#errors/console-error.ts';
import type { Clock } from '#platform/clock.ts';
import { countAttempt, dayPrefix, deleteAttempts, deleteAttemptsBefore, takeBackAttempt } from './store.ts';

/** Duration for which a rejection is cached. Must be short, because a success on another node ends the rejection. */
const holdMs = 5_000;
const refusalsMax = 10_000;

interface RecentRefusals {
  /**
   * Checks for a recent rejection.
   * @throws ConsoleError with the cached rejection of the subject
   */
  check(subject: string): void;
  note(subject: string, refusal: ConsoleError): void;
}

export function createRecentRefusals(clock: Clock): RecentRefusals {
  const refusals = new Map<string, { readonly refusal: ConsoleError; readonly endsAtMs: number }>();
  return {
    check(subject) {
      const recent = refusals.get(subject);
      if (!recent) return;
      if (clock() < recent.endsAtMs) throw recent.refusal;
      refusals.delete(subject);
    },
    note(subject, refusal) {
      if (refusals.size >= refusalsMax) refusals.clear();
      const waitMs = Math.min(holdMs, 1_000 * (refusal.retryAfterSeconds ?? 0));
      refusals.set(subject, { refusal, endsAtMs: clock() + waitMs });
    },
  };
}

/** Throttle of sign-in attempts by IP address and account. Checked before any password is hashed. */
export interface Throttle {
  /**
   * Counts an attempt of an IP address.
   * @throws ConsoleError 429 if the address has used up its attempts
   */
  countAddress(address: string): Promise<void>;
  readonly refusals: RecentRefusals;
  /**
   * Counts an attempt for an account.
   * @throws ConsoleError 429 if the account has used up its attempts
   */
  countAccount(account: string): Promise<void>;
  /**
   * Counts an attempt for an account against a limit per UTC day, which is not reset by a success.
   * @throws ConsoleError 429 if the account has used up its attempts for the day
   */
  countDay(account: string): Promise<void>;
  takeBackDay(account: string): Promise<void>;
  /**
   * Marks a single-use value as used until it expires at `validUntil`. Returns `false` if any node has already used
   * the value.
   */
  useOnce(value: string, validUntil: Date): Promise<boolean>;
  /** Reverts one attempt of an IP address whose password was not checked. */
  takeBackAddress(address: string): Promise<void>;
  takeBackAccount(account: string): Promise<void>;
  /** Resets the attempts of an account after a successful sign-in and reverts the IP address's attempt. */
  forgive(address: string, account: string): Promise<void>;
}

export interface AddressThrottle {
  /**
   * Counts an attempt.
   * @throws ConsoleError 429 if the IP address has used up its attempts
   */
  count(address: string): Promise<void>;
  /** Reverts an attempt that succeeded or failed for an unrelated reason. */
  takeBack(address: string): Promise<void>;
}

export interface AccountThrottle {
  /**
   * Counts an attempt.
   * @throws ConsoleError 429 if the account has used up its attempts
   */
  count(userId: number): Promise<void>;
  /** Reverts an attempt that failed for an unrelated reason. */
  takeBack(userId: number): Promise<void>;
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
    countDay: (account) => count(daySubjectOf(account), dayRule),
    takeBackDay: (account) =>
      takeBackAttempt(database, daySubjectOf(account), new Date(windowStartMs(dayRule, clock()))),
    useOnce: async (value, validUntil) => (await countAttempt(database, `once:${value}`, validUntil)) === 1,
    takeBackAddress: addresses.takeBack,
    takeBackAccount: (account) =>
      takeBackAttempt(database, account, new Date(windowStartMs(accountRule, clock()))),
    forgive: async (address, account) => {
      await Promise.all([deleteAttempts(database, account), addresses.takeBack(address)]);
    },
  };
}

const daySubjectOf = (account: string) => `${dayPrefix}${account}`;

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

/** `subject` separates its attempts from other kinds; `noun` describes them in the error. */
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
