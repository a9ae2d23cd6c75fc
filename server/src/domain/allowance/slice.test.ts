import { describe, expect, it } from 'vitest';
import { adaptSliceFactor, chooseSlice, isNearEnd, leastSliceFactor } from './slice.ts';

describe('allowance slices', () => {
  it.each([
    ['a multiple of the demand', 10, 1_000_000, 320],
    ['a share of what is left', 10, 800, 100],
    ['the demand, even if little is left', 10, 40, 10],
    ['nothing without a demand', 0, 1_000_000, 0],
  ])('chooseSlice leases %s', (_, want, left, amount) => {
    expect(chooseSlice(want, want, left, leastSliceFactor).amount).toBe(amount);
  });

  it('isNearEnd is true below twenty of the largest requests, which chooseSlice returns as nearEnd', () => {
    expect(chooseSlice(30, 20, 1_000, leastSliceFactor).nearEnd).toBe(400);
    expect([isNearEnd(399, 20), isNearEnd(400, 20)]).toEqual([true, false]);
  });

  it('adaptSliceFactor grows slices that are used up quickly and shrinks other slices', () => {
    const grown = Array.from({ length: 9 }).reduce<number>(
      (factor) => adaptSliceFactor(factor, 5),
      leastSliceFactor,
    );
    expect(grown).toBe(1_024);
    expect(adaptSliceFactor(grown, 60_000)).toBe(512);
    expect(adaptSliceFactor(leastSliceFactor, 60_000)).toBe(leastSliceFactor);
  });
});
