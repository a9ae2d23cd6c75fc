import { describe, expect, it } from 'vitest';
import { formatAge, formatLastUsed, formatRelative, formatShortAge } from './format-time.ts';

const now = new Date(2026, 10, 20, 9, 0, 0);
const at = (...fields: [number, number, number, number?, number?, number?]) =>
  new Date(...fields).toISOString();

describe('when a key was last used', () => {
  it.each([
    [null, 'Never'],
    [undefined, 'Never'],
    [at(2026, 10, 20, 8, 59), 'Today'],
    [at(2026, 10, 20, 0, 0), 'Today'],
    [at(2026, 10, 19, 23, 59), 'Yesterday'],
    [at(2026, 10, 18, 23, 59), '2 days ago'],
    [at(2026, 9, 22), '29 days ago'],
    [at(2026, 9, 21), 'Oct 21, 2026'],
    [at(2026, 10, 20, 9, 5), 'Today'],
  ])('formatLastUsed(%s) returns %s', (instant, text) => {
    expect(formatLastUsed(instant, now.getTime())).toBe(text);
  });
});

describe('a relative time', () => {
  it.each([
    [at(2026, 10, 20, 8, 59, 1), 'just now'],
    [at(2026, 10, 20, 8, 59, 0), '1 minute ago'],
    [at(2026, 10, 20, 8, 0, 1), '59 minutes ago'],
    [at(2026, 10, 20, 5, 30), '3 hours ago'],
    [at(2026, 10, 18, 8, 0), '2 days ago'],
    [at(2026, 10, 20, 12, 0), 'in 3 hours'],
    [at(2026, 10, 20, 11, 59, 30), 'in 3 hours'],
    [at(2027, 1, 18, 8, 59, 59), 'in 90 days'],
  ])('formatRelative(%s) returns %s', (instant, text) => {
    expect(formatRelative(instant, now.getTime())).toBe(text);
  });
});

describe('ages', () => {
  it.each([
    [at(2026, 10, 20, 8, 59, 30), 'just now', 'Just now'],
    [at(2026, 10, 20, 8, 56), '4m', '4 minutes ago'],
    [at(2026, 10, 20, 6, 0), '3h', '3 hours ago'],
    [at(2026, 10, 14, 9, 0), '6d', '6 days ago'],
    [at(2026, 10, 13, 9, 0), '7d', 'Nov 13, 2026'],
    [at(2026, 10, 20, 9, 1), 'just now', 'Just now'],
  ])('formatShortAge and formatAge of %s return %s and %s', (instant, short, long) => {
    expect(formatShortAge(instant, now.getTime())).toBe(short);
    expect(formatAge(instant, now.getTime())).toBe(long);
  });
});
