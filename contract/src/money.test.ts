import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hasNanoUsd, priceJson, toNanoUsd, toUsd, usdAmount } from './money.ts';

describe('money as JSON', () => {
  it('toNanoUsd keeps every nano-dollar of JSON amounts up to four million dollars, with at most nine decimals', () => {
    const limit = 4_000_000_000_000_000n;
    fc.assert(
      fc.property(fc.bigInt({ min: -limit, max: limit }), (nanoUsd) => {
        const dollars = toUsd(nanoUsd);
        expect(toNanoUsd(dollars)).toBe(nanoUsd);
        expect(hasNanoUsd(dollars)).toBe(true);
      }),
      { numRuns: 5_000 },
    );
  });

  it('toNanoUsd is not affected by the binary representation of decimals', () => {
    expect(toNanoUsd(0.1 + 0.2)).toBe(300_000_000n);
    expect(toNanoUsd(1.005)).toBe(1_005_000_000n);
    expect(toNanoUsd(5e-9)).toBe(5n);
    expect(toNanoUsd(-0.000000001)).toBe(-1n);
    expect(toUsd(10_000_000_000_001n)).toBe(10_000.000000001);
  });

  it.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY, 10_000.01, 1e-10, '5'])(
    'usdAmount rejects %s',
    (amount) => {
      expect(usdAmount.safeParse(amount).success).toBe(false);
    },
  );

  it.each([0.01, 10_000, 0.000000001])('usdAmount accepts %s', (amount) => {
    expect(usdAmount.parse(amount)).toBe(amount);
  });

  it('priceJson rejects negative prices and fractions of a nano-dollar', () => {
    for (const input of [-1, 1e-10, Number.NaN]) {
      expect(priceJson.safeParse({ input, output: 1 }).success).toBe(false);
    }
  });
});
