import { describe, expect, it } from 'vitest';
import { formatDuration, formatRowTime } from './format-time.ts';

describe('times', () => {
  it('are shown on a 12-hour clock in US English', () => {
    const afternoon = new Date(2026, 10, 20, 15, 4, 5).toISOString();
    expect(formatRowTime(afternoon)).toBe('Nov 20, 3:04:05 PM');
  });
});

describe('durations', () => {
  it.each([
    [3.2, '3 ms'],
    [999.4, '999 ms'],
    [999.6, '1.00 s'],
    [2410, '2.41 s'],
  ])('%d ms read %s', (durationMs, text) => {
    expect(formatDuration(durationMs)).toBe(text);
  });
});
