import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { costOf, holdOf, splitCost } from './cost.ts';
import type { Price, Rates, TokenCounts } from './price.ts';

const rate = fc.bigInt({ min: 0n, max: 200_000_000_000n });
const rates: fc.Arbitrary<Rates> = fc.record({
  input: rate,
  cacheRead: rate,
  cacheWrite: rate,
  cacheWriteHour: rate,
  output: rate,
  reasoning: rate,
  audioInput: rate,
  audioCacheRead: rate,
  audioOutput: rate,
  imageOutput: rate,
});
const prices: fc.Arbitrary<Price> = fc.record({
  base: rates,
  tiers: fc
    .uniqueArray(fc.record({ aboveInputTokens: fc.nat(300_000), rates }), {
      selector: ({ aboveInputTokens }) => aboveInputTokens,
      maxLength: 3,
    })
    .map((tiers) => tiers.toSorted((one, other) => one.aboveInputTokens - other.aboveInputTokens)),
  perRequest: rate,
  isAudioPriced: fc.boolean(),
});
const tokens = fc.oneof(fc.nat(20), fc.nat(400_000));
const counts: fc.Arbitrary<TokenCounts> = fc
  .record({
    inputTokens: tokens,
    cacheReadTokens: tokens,
    cacheWriteTokens: tokens,
    outputTokens: tokens,
    hourShare: fc.nat(100),
    reasoningShare: fc.nat(100),
    audioShare: fc.nat(100),
    imageShare: fc.nat(100),
  })
  .map(({ audioShare, hourShare, imageShare, reasoningShare, ...buckets }) => ({
    ...buckets,
    cacheWriteHourTokens: Math.floor((buckets.cacheWriteTokens * hourShare) / 100),
    reasoningTokens: Math.floor((buckets.outputTokens * reasoningShare) / 100),
    audioInputTokens: Math.floor((buckets.inputTokens * audioShare) / 100),
    audioCacheReadTokens: Math.floor((buckets.cacheReadTokens * audioShare) / 100),
    audioOutputTokens: Math.floor((buckets.outputTokens * (100 - reasoningShare) * audioShare) / 10_000),
    imageOutputTokens: Math.floor(
      (buckets.outputTokens * (100 - reasoningShare) * (100 - audioShare) * imageShare) / 1_000_000,
    ),
  }));
const markups = fc.nat(30_000).map((basisPoints) => basisPoints / 100);
const runs = { numRuns: 5_000 };

const wholeInputOf = (used: TokenCounts) => used.inputTokens + used.cacheReadTokens + used.cacheWriteTokens;
const flat = (given: Partial<Rates>): Price => {
  const free = { input: 0n, cacheRead: 0n, cacheWrite: 0n, cacheWriteHour: 0n, output: 0n, reasoning: 0n };
  const audio = { audioInput: 0n, audioCacheRead: 0n, audioOutput: 0n, imageOutput: 0n };
  return { base: { ...free, ...audio, ...given }, tiers: [], perRequest: 0n, isAudioPriced: false };
};
const none: TokenCounts = {
  inputTokens: 0,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  outputTokens: 0,
  reasoningTokens: 0,
};

describe('costOf', () => {
  it('costOf is never negative, and is positive with a price per request', () => {
    fc.assert(
      fc.property(counts, prices, markups, (used, price, markup) => {
        const cost = costOf(used, price, markup);
        expect(cost).toBeGreaterThanOrEqual(0n);
        if (price.perRequest > 0n) expect(cost).toBeGreaterThan(0n);
      }),
      runs,
    );
  });

  it('costOf never decreases with more tokens of a kind at the same rates', () => {
    const kinds = ['inputTokens', 'cacheReadTokens', 'cacheWriteTokens', 'outputTokens'] as const;
    fc.assert(
      fc.property(
        counts,
        prices,
        markups,
        fc.constantFrom(...kinds),
        fc.nat(1000),
        (used, price, markup, kind, more) => {
          const untiered = { ...price, tiers: [] };
          const bigger = { ...used, [kind]: used[kind] + more };
          expect(costOf(bigger, untiered, markup)).toBeGreaterThanOrEqual(costOf(used, untiered, markup));
        },
      ),
      runs,
    );
  });

  it('costOf never decreases with a higher markup', () => {
    fc.assert(
      fc.property(counts, prices, markups, markups, (used, price, markup, more) => {
        expect(costOf(used, price, markup + more)).toBeGreaterThanOrEqual(costOf(used, price, markup));
      }),
      runs,
    );
  });

  it('costOf is the exact sum, rounded up once', () => {
    fc.assert(
      fc.property(counts, prices, markups, (used, price, markup) => {
        const whole = wholeInputOf(used);
        const applied =
          price.tiers.filter(({ aboveInputTokens }) => whole > aboveInputTokens).at(-1)?.rates ?? price.base;
        const hour = BigInt(used.cacheWriteHourTokens ?? 0);
        const reasoning = BigInt(used.reasoningTokens);
        const parts = [
          BigInt(used.inputTokens - (used.audioInputTokens ?? 0)) * applied.input,
          BigInt(used.audioInputTokens ?? 0) * applied.audioInput,
          BigInt(used.cacheReadTokens - (used.audioCacheReadTokens ?? 0)) * applied.cacheRead,
          BigInt(used.audioCacheReadTokens ?? 0) * applied.audioCacheRead,
          (BigInt(used.cacheWriteTokens) - hour) * applied.cacheWrite,
          hour * applied.cacheWriteHour,
          (BigInt(used.outputTokens - (used.audioOutputTokens ?? 0) - (used.imageOutputTokens ?? 0)) -
            reasoning) *
            applied.output,
          BigInt(used.audioOutputTokens ?? 0) * applied.audioOutput,
          BigInt(used.imageOutputTokens ?? 0) * applied.imageOutput,
          reasoning * applied.reasoning,
          price.perRequest * 1_000_000n,
        ];
        // Sum in units of 1e-10 nano-dollars, so that no rounding is needed.
        const exact = parts.reduce((sum, part) => sum + part) * BigInt(10_000 + Math.round(markup * 100));
        const cost = costOf(used, price, markup) * 10_000_000_000n;
        expect(cost).toBeGreaterThanOrEqual(exact);
        expect(cost - exact).toBeLessThan(10_000_000_000n);
      }),
      runs,
    );
  });

  it('costOf charges one nano-dollar in total for two kinds that cost half a nano-dollar each', () => {
    const price = flat({ input: 500_000n, output: 500_000n });
    expect(costOf({ ...none, inputTokens: 1, outputTokens: 1 }, price, 0)).toBe(1n);
    expect(costOf({ ...none, inputTokens: 1 }, price, 0)).toBe(1n);
  });

  it('costOf charges the whole request at the rates of the tier whose bound its input exceeds', () => {
    const { base } = flat({ input: 1_000_000n });
    const price: Price = {
      base,
      tiers: [{ aboveInputTokens: 200, rates: { ...base, input: 2_000_000n } }],
      perRequest: 0n,
      isAudioPriced: false,
    };
    expect(costOf({ ...none, inputTokens: 200 }, price, 0)).toBe(200n);
    expect(costOf({ ...none, inputTokens: 201 }, price, 0)).toBe(402n);
    expect(costOf({ ...none, inputTokens: 1, cacheReadTokens: 200 }, price, 0)).toBe(2n);
  });

  it('costOf adds the markup', () => {
    const price = flat({ input: 1_000_000_000n });
    expect(costOf({ ...none, inputTokens: 10 }, price, 20)).toBe(12_000n);
    expect(costOf({ ...none, inputTokens: 10 }, price, 0.01)).toBe(10_001n);
  });
});

describe('holdOf', () => {
  it('holdOf covers the cost of every request within its bounds, at every price and in every tier', () => {
    fc.assert(
      fc.property(
        counts,
        prices,
        markups,
        fc.nat(50_000),
        fc.nat(50_000),
        (used, price, markup, more, most) => {
          const bounds = {
            inputTokens: wholeInputOf(used) + more,
            outputTokens: used.outputTokens + most,
            hasAudio: true,
          };
          expect(holdOf(bounds, price, markup)).toBeGreaterThanOrEqual(costOf(used, price, markup));
        },
      ),
      { numRuns: 20_000 },
    );
  });

  it('holdOf equals the cost of at least one request within its bounds, so that it is not too high', () => {
    fc.assert(
      fc.property(prices, tokens, tokens, markups, (price, inputTokens, outputTokens, markup) => {
        const edges = [
          inputTokens,
          ...price.tiers.map((tier) => Math.min(inputTokens, tier.aboveInputTokens)),
        ];
        const extremes = edges.flatMap((input) =>
          [
            { inputTokens: input },
            { cacheReadTokens: input },
            { cacheWriteTokens: input },
            { cacheWriteTokens: input, cacheWriteHourTokens: input },
          ].flatMap((buckets) =>
            [
              { reasoningTokens: 0 },
              { reasoningTokens: outputTokens },
              { reasoningTokens: 0, imageOutputTokens: outputTokens },
            ].map((kinds) => ({ ...none, ...buckets, outputTokens, ...kinds })),
          ),
        );
        const costs = extremes.map((used) => costOf(used, price, markup));
        expect(costs).toContain(holdOf({ inputTokens, outputTokens, hasAudio: false }, price, markup));
      }),
      runs,
    );
  });
});

describe('splitCost', () => {
  it('splitCost returns parts that add up to the cost', () => {
    fc.assert(
      fc.property(counts, prices, markups, (used, price, markup) => {
        const cost = costOf(used, price, markup);
        const shares = splitCost(cost, used, price, markup);
        expect(shares.reduce((sum, { nanoUsd }) => sum + nanoUsd, 0n)).toBe(cost);
      }),
      runs,
    );
  });

  it('splitCost charges input, cache reads, output and reasoning at their own rates, with the markup', () => {
    const price = flat({ input: 2_000_000n, cacheRead: 200_000n, output: 8_000_000n, reasoning: 9_000_000n });
    const used = { ...none, inputTokens: 100, cacheReadTokens: 50, outputTokens: 40, reasoningTokens: 10 };
    expect(splitCost(costOf(used, price, 100), used, price, 100)).toEqual([
      { part: 'input', tokens: 100, nanoUsd: 400n },
      { part: 'cache_read', tokens: 50, nanoUsd: 20n },
      { part: 'output', tokens: 30, nanoUsd: 480n },
      { part: 'reasoning', tokens: 10, nanoUsd: 180n },
    ]);
  });

  it('splitCost returns the cost of usage that a row does not count as `other`', () => {
    const price = flat({ input: 2_000_000n, output: 2_000_000n, imageOutput: 9_000_000n });
    const used = { ...none, outputTokens: 100 };
    const cost = costOf({ ...used, imageOutputTokens: 100 }, price, 0);
    expect(splitCost(cost, used, price, 0)).toEqual([
      { part: 'output', tokens: 100, nanoUsd: 200n },
      { part: 'other', tokens: null, nanoUsd: 700n },
    ]);
  });
});
