import { expect, it } from 'vitest';
import { readEffort } from './reasoning-effort.ts';
import { effortShares } from './thinking-budget.ts';

it.each([
  [0, 'none'],
  [1, 'low'],
  [2_048, 'low'],
  [2_049, 'medium'],
  [16_384, 'medium'],
  [16_385, 'high'],
])('readEffort maps a budget of %i tokens to the effort %s', (budgetTokens, effort) => {
  expect(readEffort({ budgetTokens })).toBe(effort);
});

it('readEffort prefers a named effort to a budget and returns undefined without either', () => {
  expect(readEffort({ effort: 'xhigh', budgetTokens: 1 })).toBe('xhigh');
  expect(readEffort({ isShown: true })).toBeUndefined();
  expect(readEffort(undefined)).toBeUndefined();
});

it('effortShares increase with the effort and stay below 1', () => {
  const shares = Object.values(effortShares);
  expect(shares).toEqual([...shares].sort((left, right) => left - right));
  expect(new Set(shares).size).toBe(shares.length);
  expect(Math.max(...shares)).toBeLessThan(1);
});
