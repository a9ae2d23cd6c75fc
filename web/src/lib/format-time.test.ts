import { describe, expect, it } from 'vitest';
import { formatDuration, formatFullTime, formatRowTime } from './format-time.ts';

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
    [999.6, '1.00 s'],
    [2410, '2.41 s'],
  ])('formatDuration(%d) returns %s', (durationMs, text) => {
    expect(formatDuration(durationMs)).toBe(text);
  });
});
