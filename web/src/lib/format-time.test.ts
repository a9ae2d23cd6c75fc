import { describe, expect, it } from 'vitest';
import { formatDuration, formatFullTime, formatRowTime, formatSeconds } from './format-time.ts';

describe('times', () => {
  it('formatRowTime uses a 12-hour clock in US English', () => {
    const afternoon = new Date(2026, 10, 20, 15, 4, 5).toISOString();
    expect(formatRowTime(afternoon)).toBe('Nov 20, 3:04:05 PM');
  });

  it('formatRowTime and formatFullTime use the given time zone', () => {
    expect(formatRowTime('2026-11-20T23:30:00Z', 'Asia/Tokyo')).toBe('Nov 21, 8:30:00 AM');
    expect(formatFullTime('2026-11-20T23:30:00Z', 'America/New_York')).toBe('Nov 20, 2026, 6:30:00 PM EST');
  });
});

describe('durations', () => {
  it.each([
    [3.2, '3 ms'],
    [999.4, '999 ms'],
    [999.6, '1.0 s'],
    [2410, '2.4 s'],
    [59_940, '59.9 s'],
    [59_960, '1 min'],
    [90_000, '1.5 min'],
    [180_000, '3 min'],
    [3_600_000, '1 h'],
    [5_400_000, '1.5 h'],
  ])('formatDuration(%d) returns %s', (durationMs, text) => {
    expect(formatDuration(durationMs)).toBe(text);
  });

  it('formatSeconds has two decimals', () => {
    expect(formatSeconds(2410)).toBe('2.41s');
  });
});
