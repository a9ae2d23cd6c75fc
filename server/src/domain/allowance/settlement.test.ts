import fc from 'fast-check';
import { expect, it } from 'vitest';
import { cutUsage, sumTokens, usedAmount } from './settlement.ts';

const tokens = fc.nat(1_000_000);
const usages = fc.record({
  inputTokens: tokens,
  cacheReadTokens: tokens,
  cacheWriteTokens: tokens,
  outputTokens: tokens,
  reasoningTokens: tokens,
});

it('cutUsage reduces usage to exactly its bound and increases no part', () => {
  fc.assert(
    fc.property(usages, fc.nat(4_000_000), (usage, tokensMax) => {
      const cut = cutUsage(usage, tokensMax);
      if (cut === null) return sumTokens(usage) <= tokensMax;
      const isSmaller = (Object.keys(usage) as (keyof typeof usage)[]).every(
        (name) => cut[name] <= usage[name],
      );
      return (
        sumTokens(cut) === tokensMax && isSmaller && cut.reasoningTokens <= Math.max(cut.outputTokens, 0)
      );
    }),
    { numRuns: 2_000 },
  );
});

it('cutUsage reduces the output first', () => {
  const usage = {
    inputTokens: 20,
    cacheReadTokens: 5,
    cacheWriteTokens: 5,
    outputTokens: 900,
    reasoningTokens: 800,
  };
  expect(cutUsage(usage, 100)).toEqual({ ...usage, outputTokens: 70, reasoningTokens: 70 });
});

it.each([
  ['requests_per_hour', 1],
  ['tokens_per_day', 50],
  ['tokens_per_month', 50],
  ['task_tokens', 50],
  ['credits', 700],
  ['usd_budget', 800],
  ['token_budget', 50],
  ['request_budget', 1],
  ['parallel_requests', 0],
] as const)('usedAmount of %s is %i for a served request', (kind, used) => {
  expect(usedAmount(kind, { isServed: true, tokens: 50, costNanoUsd: 700, spentNanoUsd: 800 })).toBe(used);
});

it.each(['requests_per_hour', 'request_budget'] as const)(
  'usedAmount of %s is 0 for a request that no provider received',
  (kind) => {
    const outcome = { isServed: false, tokens: 0, costNanoUsd: 0, spentNanoUsd: 0 };
    expect(usedAmount(kind, outcome)).toBe(0);
  },
);
