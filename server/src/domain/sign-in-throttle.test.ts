import { expect, it } from 'vitest';
import { accountRule, addressRule, secondsLeft, windowStartMs } from './sign-in-throttle.ts';

it('sign-in throttle allows 10 attempts in 15 minutes per account and 100 per hour per IP address', () => {
  expect(accountRule).toEqual({ triesMax: 10, windowMs: 900_000 });
  expect(addressRule).toEqual({ triesMax: 100, windowMs: 3_600_000 });
});

it('secondsLeft uses fixed windows and returns at least one second', () => {
  expect(windowStartMs(accountRule, 900_000)).toBe(900_000);
  expect(windowStartMs(accountRule, 1_799_999)).toBe(900_000);
  expect(secondsLeft(accountRule, 900_000)).toBe(900);
  expect(secondsLeft(accountRule, 1_799_999)).toBe(1);
});
