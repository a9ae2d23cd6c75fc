import { expect, it } from 'vitest';
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
