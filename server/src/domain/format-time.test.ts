import { expect, test } from 'vitest';
import { formatUtcTime, formatWait } from './format-time.ts';

test.each([
  ['2026-12-05T14:02:59Z', 'December 5, 2026 at 2:02 PM UTC'],
  ['2026-12-05T00:00:00Z', 'December 5, 2026 at 12:00 AM UTC'],
])('formatUtcTime formats %s on a 12-hour clock as %s', (instant, text) => {
  expect(formatUtcTime(new Date(instant))).toBe(text);
});

test('formatWait rounds up', () => {
  expect([1, 40, 60, 61, 900].map(formatWait)).toEqual([
    '1 second',
    '40 seconds',
    '1 minute',
    '2 minutes',
    '15 minutes',
  ]);
});
