import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type VoteCounts, winRateOf } from './win-rate.ts';

const counts = fc
  .tuple(fc.nat(5_000), fc.nat(5_000), fc.nat(5_000))
  .filter(([wins, ties, losses]) => wins + ties + losses > 0)
  .map(([wins, ties, losses]): VoteCounts => ({ wins, ties, votes: wins + ties + losses }));

describe('winRateOf', () => {
  it.each([
    // Newcombe 1998, table I, method 3 (score without continuity correction), and Wilson's bounds for rates of 0 and
    // 1.
    [{ votes: 263, wins: 81, ties: 0 }, 0.2553, 0.3662],
    [{ votes: 148, wins: 15, ties: 0 }, 0.0624, 0.1605],
    [{ votes: 20, wins: 0, ties: 0 }, 0, 0.1611],
    [{ votes: 29, wins: 1, ties: 0 }, 0.0061, 0.1718],
  ])('winRateOf %o has the interval from %f to %f', (given, low, high) => {
    const found = winRateOf(given);
    expect(found.low).toBeCloseTo(low, 4);
    expect(found.high).toBeCloseTo(high, 4);
  });

  it('winRateOf counts a tie as half a win', () => {
    expect(winRateOf({ votes: 10, wins: 3, ties: 4 })).toEqual(winRateOf({ votes: 10, wins: 5, ties: 0 }));
  });

  it('winRateOf returns a rate within its interval, and an interval between 0 and 1', () => {
    fc.assert(
      fc.property(counts, (given) => {
        const { rate, low, high } = winRateOf(given);
        expect(low).toBeGreaterThanOrEqual(0);
        expect(low).toBeLessThanOrEqual(rate);
        expect(high).toBeGreaterThanOrEqual(rate);
        expect(high).toBeLessThanOrEqual(1);
        expect(high - low).toBeGreaterThan(0);
      }),
    );
  });

  it('winRateOf returns narrower intervals for more votes and is symmetric for wins and losses', () => {
    fc.assert(
      fc.property(counts, ({ votes, wins, ties }) => {
        const one = winRateOf({ votes, wins, ties });
        const more = winRateOf({ votes: votes * 4, wins: wins * 4, ties: ties * 4 });
        const mirrored = winRateOf({ votes, wins: votes - wins - ties, ties });
        expect(more.high - more.low).toBeLessThan(one.high - one.low);
        expect(mirrored.low).toBeCloseTo(1 - one.high, 10);
        expect(mirrored.high).toBeCloseTo(1 - one.low, 10);
      }),
    );
  });

  it('winRateOf returns the interval from 0 to 1 without votes', () => {
    expect(winRateOf({ votes: 0, wins: 0, ties: 0 })).toEqual({ rate: 0, low: 0, high: 1 });
  });
});
