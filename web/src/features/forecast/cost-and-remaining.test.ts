import { expect, it } from 'vitest';
import { tighterQuota } from '#lib/account-status.ts';
import { describeLeft } from './cost-and-remaining.tsx';

const quota = (used: number, limit: number | null) => ({ used, limit, resets_at: '2026-12-01T00:00:00Z' });

it('describeLeft returns the remaining tokens, their price at the average cost, and the reset time', () => {
  expect(describeLeft('Left today', quota(400, 1_000), 0.00002)).toEqual({
    label: 'Left today',
    value: '600 tokens',
    note: expect.stringMatching(/^about \$0\.01 at your average price, until /),
  });
});

it('describeLeft returns no price if no tokens were used yet', () => {
  expect(describeLeft('Left today', quota(0, 1_000), null).note).toMatch(/^until /);
});

it('describeLeft returns zero tokens if the limit is exceeded, and no amount if there is no limit', () => {
  expect(describeLeft('Left today', quota(1_012, 1_000), null).value).toBe('0 tokens');
  expect(describeLeft('Left today', quota(1_012, null), 0.1)).toEqual({
    label: 'Left today',
    value: 'Unlimited',
  });
});

it.each([
  [
    'monthly quota',
    quota(0, 5_000),
    quota(0, 3_000),
    '3,000 tokens',
    /^limited by the monthly quota, until /,
  ],
  ['monthly quota without a daily one', quota(0, null), quota(9_500, 10_000), '500 tokens', /^limited by/],
  ['daily quota', quota(4_000, 5_000), quota(4_000, 30_000), '1,000 tokens', /^until /],
  ['daily quota if both leave the same', quota(0, 3_000), quota(0, 3_000), '3,000 tokens', /^until /],
])('Left today is limited by the %s', (_, tokens_per_day, tokens_per_month, value, note) => {
  const today = tighterQuota({ tokens_per_day, tokens_per_month });
  expect(describeLeft('Left today', today, null)).toMatchObject({ value, note: expect.stringMatching(note) });
});
