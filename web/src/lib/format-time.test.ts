import { describe, expect, it } from 'vitest';
import {
  formatDuration,
  formatFullTime,
  formatRowTime,
  formatSeconds,
  localizeInstants,
} from './format-time.ts';

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

describe('instants in messages of the server', () => {
  it.each([
    ['It resets at 2026-11-27T00:00:00.000Z (in 5h2m10s).', 'It resets at Nov 26, 7:00 PM EST (in 5h2m10s).'],
    ['in maintenance until 2026-07-01T12:30Z, or later', 'in maintenance until Jul 1, 8:30 AM EDT, or later'],
    ['from 2026-11-20T23:30:00Z to 2026-11-21T05:00:00Z', 'from Nov 20, 6:30 PM EST to Nov 21, 12:00 AM EST'],
    ['The model gpt-2026-11-27 is unknown', 'The model gpt-2026-11-27 is unknown'],
    ['Invalid time 2026-99-99T00:00:00Z', 'Invalid time 2026-99-99T00:00:00Z'],
  ])('localizeInstants(%j) returns %j', (message, text) => {
    expect(localizeInstants(message, 'America/New_York')).toBe(text);
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
    [61_500, '1 min 2 s'],
    [90_000, '1 min 30 s'],
    [180_000, '3 min'],
    [3_600_000, '1 h'],
    [3_599_600, '1 h'],
    [5_400_000, '1 h 30 min'],
  ])('formatDuration(%d) returns %s', (durationMs, text) => {
    expect(formatDuration(durationMs)).toBe(text);
  });

  it('formatSeconds returns two decimals', () => {
    expect(formatSeconds(2410)).toBe('2.41s');
  });
});
