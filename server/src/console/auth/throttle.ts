import type { SystemDatabase } from '#db/system.ts';
import {
  accountRule,
  addressRule,
  describeWait,
  networkOf,
  secondsLeft,
  type ThrottleRule,
  windowStartMs,
} from '#domain/sign-in-throttle.ts';
import { ConsoleError } from '#errors/console-error.ts';
import type { Clock } from '#platform/clock.ts';
import { countAttempt, deleteAttempts, deleteAttemptsBefore, takeBackAttempt } from './store.ts';

/** Counts sign-in tries by address and by account, before any hashing. */
export interface Throttle {
  /** @throws ConsoleError 429 when the address has used up its tries. */
  countAddress(address: string): Promise<void>;
  /** @throws ConsoleError 429 when the account has used up its tries. */
  countAccount(account: string): Promise<void>;
  /** A success: the account starts anew, and the address gets this one try back. */
  forgive(address: string, account: string): Promise<void>;
}

export function createThrottle(database: SystemDatabase, clock: Clock): Throttle {
  let sweptAtMs = clock();

  async function count(subject: string, rule: ThrottleRule): Promise<void> {
    const nowMs = clock();
    if (nowMs - sweptAtMs >= addressRule.windowMs) {
      sweptAtMs = nowMs;
      await deleteAttemptsBefore(database, new Date(windowStartMs(addressRule, nowMs)));
    }
    const tries = await countAttempt(database, subject, new Date(windowStartMs(rule, nowMs)));
    if (tries <= rule.triesMax) return;
    const seconds = secondsLeft(rule, nowMs);
    throw new ConsoleError(429, `Too many sign-in attempts. Try again in ${describeWait(seconds)}.`, seconds);
  }

  const addressSubject = (address: string) => `address:${networkOf(address)}`;
  return {
    countAddress: (address) => count(addressSubject(address), addressRule),
    countAccount: (account) => count(account, accountRule),
    forgive: async (address, account) => {
      const windowStart = new Date(windowStartMs(addressRule, clock()));
      await Promise.all([
        deleteAttempts(database, account),
        takeBackAttempt(database, addressSubject(address), windowStart),
      ]);
    },
  };
}
