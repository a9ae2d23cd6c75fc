import { describe, expect, it } from 'vitest';
import { formatAxisDay, formatTitleDay } from './format-day.ts';

describe('the day of a bucket', () => {
  it.each([
    ['2026-11-20', 'Nov 20', 'Friday, Nov 20, 2026'],
    ['2026-01-01', 'Jan 1', 'Thursday, Jan 1, 2026'],
    ['2026-11-20T00:00:00Z', 'Nov 20', 'Friday, Nov 20, 2026'],
  ])('%s is %s on an axis and %s in a title, in any time zone', (day, axis, title) => {
    expect(formatAxisDay(day)).toBe(axis);
    expect(formatTitleDay(day)).toBe(title);
  });
});
