import { describe, expect, it } from 'vitest';
import { findMonths, formatAxisDay, formatTitleDay } from './format-day.ts';

describe('the day of a bucket', () => {
  it.each([
    ['2026-11-20', 'Nov 20', 'Friday, Nov 20, 2026'],
    ['2026-01-01', 'Jan 1', 'Thursday, Jan 1, 2026'],
    ['2026-11-20T00:00:00Z', 'Nov 20', 'Friday, Nov 20, 2026'],
  ])('formatAxisDay and formatTitleDay of %s return %s and %s', (day, axis, title) => {
    expect(formatAxisDay(day)).toBe(axis);
    expect(formatTitleDay(day)).toBe(title);
  });
});

it.each([
  ['2026-11-26', '2026-11-01', '2026-10-01', '2026-10-31'],
  ['2026-01-01', '2026-01-01', '2025-12-01', '2025-12-31'],
  ['2024-03-31', '2024-03-01', '2024-02-01', '2024-02-29'],
])(
  'findMonths of %s starts this month on %s and returns %s to %s as last month',
  (today, start, from, to) => {
    expect(findMonths(today)).toEqual({
      today: { start: today, end: today },
      thisMonth: { start, end: today },
      lastMonth: { start: from, end: to },
    });
  },
);
