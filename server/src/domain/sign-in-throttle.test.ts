import { expect, it } from 'vitest';
import {
  accountRule,
  addressRule,
  formatWait,
  networkOf,
  secondsLeft,
  windowStartMs,
} from './sign-in-throttle.ts';

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

it('formatWait rounds up', () => {
  expect([1, 40, 60, 61, 900].map(formatWait)).toEqual([
    '1 second',
    '40 seconds',
    '1 minute',
    '2 minutes',
    '15 minutes',
  ]);
});

it.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:DB8:0001:2::6', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
])('networkOf maps %s to %s', (address, network) => {
  expect(networkOf(address)).toBe(network);
});
