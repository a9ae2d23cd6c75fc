import type { Budget } from '@sluice/contract';
import { describe, expect, it } from 'vitest';
import { describePace } from './use.tsx';

const budget = {
  measure: 'usd',
  spent: 10,
  effective_limit: 50,
  counts_since: '2026-11-01T00:00:00.000Z',
  resets_at: '2026-12-01T00:00:00.000Z',
} as Budget;
const nowMs = Date.parse('2026-11-11T00:00:00.000Z');

describe('describePace', () => {
  it('describePace forecasts the use at the reset if the limit will not be reached before', () => {
    expect(describePace(budget, nowMs)).toBe(
      'At this pace ($1.00 per day), $30.00 will be used at the reset',
    );
  });

  it('describePace forecasts when the limit is reached if that is before the reset', () => {
    expect(describePace({ ...budget, spent: 40 }, nowMs)).toMatch(
      /^At this pace \(\$4\.00 per day\), the limit is reached on Nov 1[23]/,
    );
  });

  it.each([
    ['nothing is used', { spent: 0 }],
    ['the limit is reached', { spent: 50 }],
    ['the period has just begun', { counts_since: '2026-11-10T23:59:00.000Z' }],
    ['a month counts for less than a day', { counts_since: '2026-11-10T01:00:00.000Z' }],
    ['a total is far from its limit', { resets_at: null, spent: 0.01 }],
  ])('describePace returns null if %s', (_, changed) => {
    expect(describePace({ ...budget, ...changed }, nowMs)).toBeNull();
  });
});
