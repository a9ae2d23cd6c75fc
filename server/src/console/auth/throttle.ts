import type { SystemDatabase } from '#db/system.ts';
import {
  accountRule,
  addressRule,
  dayRule,
  formatWait,
  networkOf,
  secondsLeft,
  type ThrottleRule,
  windowStartMs,
} from '#domain/sign-in-throttle.ts';
import { ConsoleError } from '#errors/console-error.ts';
import type { Clock } from '#platform/clock.ts';
import { countAttempt, dayPrefix, deleteAttempts, deleteAttemptsBefore, takeBackAttempt } from './store.ts';

/** Keep this short, since a success on another node lifts the rejection. */
const holdMs = 5_000;
const refusalsMax = 10_000;

/** Cache of recent rejections by subject, so that repeated attempts need no query. */
interface RecentRefusals {
  /** @throws ConsoleError the cached rejection of this subject. */
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

/** Throttle of sign-in attempts by IP and by account, checked before any hashing. */
export interface Throttle {
  /** @throws ConsoleError 429 if the IP has used up its attempts. */
  countAddress(address: string): Promise<void>;
  /** Cached by IP and email, so that a repeated attempt needs no query. */
  readonly refusals: RecentRefusals;
  /** @throws ConsoleError 429 if the account has used up its attempts. */
  countAccount(account: string): Promise<void>;
  /**
   * @throws ConsoleError 429 if the account has used up its attempts of the day (UTC); a success does not reset them.
   */
  countDay(account: string): Promise<void>;
  takeBackDay(account: string): Promise<void>;
  /**
   * Marks a single-use value as used until it expires at `validUntil`; returns `false` if any node has used it
   * before.
   */
  useOnce(value: string, validUntil: Date): Promise<boolean>;
  /** Takes back one attempt whose password was not checked. */
  takeBackAddress(address: string): Promise<void>;
  takeBackAccount(account: string): Promise<void>;
  /** Resets the account after a success, and takes back the IP's attempt. */
  forgive(address: string, account: string): Promise<void>;
}

/** Throttle of one kind of attempt by IP. */
export interface AddressThrottle {
  /** @throws ConsoleError 429 if the IP has used up its attempts. */
  count(address: string): Promise<void>;
  /** Takes back an attempt that succeeded or failed for an unrelated reason. */
  takeBack(address: string): Promise<void>;
}

/** Throttle of one kind of attempt by account. */
export interface AccountThrottle {
  /** @throws ConsoleError 429 if the account has used up its attempts. */
  count(userId: number): Promise<void>;
  /** Takes back an attempt that failed for an unrelated reason. */
  takeBack(userId: number): Promise<void>;
  /** Resets the account after a success. */
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

/** Creates a throttle by IP. `subject` separates its attempts from other kinds; `noun` names them in the error. */
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
