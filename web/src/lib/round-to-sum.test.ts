import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { roundToSum } from './round-to-sum.ts';

describe('roundToSum', () => {
  it('roundToSum adjusts the value with the largest remainder', () => {
    expect(roundToSum([0.0784, 0.0273, 0.0055], 0.1112, 3)).toEqual([0.078, 0.027, 0.006]);
    expect(roundToSum([0.078, 0.0271], 0.104, 3)).toEqual([0.077, 0.027]);
    expect(roundToSum([0.29, -0.1], 0.19, 2)).toEqual([0.29, -0.1]);
  });

  it('roundToSum returns values that add up to the total and differ from the exact values by less than one unit', () => {
    const amounts = fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 1, maxLength: 9 });
    fc.assert(
      fc.property(amounts, (values) => {
        const total = values.reduce((sum, value) => sum + value, 0);
        const rounded = roundToSum(values, total, 3);
        const sum = rounded.reduce((so, value) => so + Math.round(value * 1000), 0);
        expect(Math.abs(sum - Math.round(total * 1000))).toBe(0);
        rounded.forEach((value, index) => {
          expect(Math.abs(value - (values[index] ?? 0))).toBeLessThanOrEqual(0.001 + 1e-6);
        });
      }),
    );
  });
});
