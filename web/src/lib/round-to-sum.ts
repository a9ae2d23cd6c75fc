/**
 * Rounds amounts so that the displayed values add up to the rounded total. Each amount changes by less than one unit
 * of the last decimal. Amounts nearest to the next unit change first.
 */
export function roundToSum(amounts: readonly number[], total: number, decimals: number): readonly number[] {
  const unitsPerOne = 10 ** decimals;
  const parts = amounts.map((amount, index) => {
    const units = Math.floor(amount * unitsPerOne + nearlyNothing);
    return { index, units, rest: amount * unitsPerOne - units };
  });
  const missing = Math.round(total * unitsPerOne) - parts.reduce((sum, { units }) => sum + units, 0);
  const byRest = parts.toSorted((one, other) => Math.sign(missing) * (other.rest - one.rest));
  const moved = new Set(byRest.slice(0, Math.abs(missing)).map(({ index }) => index));
  return parts.map(
    ({ index, units }) => (units + (moved.has(index) ? Math.sign(missing) : 0)) / unitsPerOne + 0,
  );
}

/** Tolerance for binary fractions: 0.29 × 100 is slightly less than 29. */
const nearlyNothing = 1e-6;

/** Rounds shares of one total as `formatShare` displays them, so that the percentages add up to at most 100. */
export function roundShares(shares: readonly number[]): readonly number[] {
  const total = Math.min(
    1,
    shares.reduce((sum, share) => sum + share, 0),
  );
  return roundToSum(shares, total, shareDecimals);
}

/** Number of decimals in a share whose percentage has one decimal. */
const shareDecimals = 3;
