export function median(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right);
  const half = sorted.length / 2;
  const upper = sorted[Math.floor(half)] ?? Number.NaN;
  return Number.isInteger(half) ? (upper + (sorted[half - 1] ?? upper)) / 2 : upper;
}

/**
 * Returns the p-value of the two-sided Mann-Whitney test. Uses the normal approximation, which is accurate from about
 * 20 values. Assumes that no values are equal.
 */
export function compareRanks(left: readonly number[], right: readonly number[]): number {
  const ranked = [
    ...left.map((value) => ({ value, isLeft: true })),
    ...right.map((value) => ({ value, isLeft: false })),
  ].sort((one, other) => one.value - other.value);
  const rankSum = ranked.reduce((sum, { isLeft }, index) => sum + (isLeft ? index + 1 : 0), 0);
  const pairs = left.length * right.length;
  const wins = rankSum - (left.length * (left.length + 1)) / 2;
  const deviation = Math.sqrt((pairs * (left.length + right.length + 1)) / 12);
  return 2 * upperTail(Math.abs(wins - pairs / 2) / deviation);
}

/** Returns the upper tail of the normal distribution to seven digits (Abramowitz and Stegun 26.2.17). */
function upperTail(deviations: number): number {
  const step = 1 / (1 + 0.2316419 * deviations);
  const factors = [1.330274429, -1.821255978, 1.781477937, -0.356563782, 0.31938153];
  const sum = factors.reduce((total, factor) => (total + factor) * step, 0);
  return (Math.exp(-(deviations ** 2) / 2) / Math.sqrt(2 * Math.PI)) * sum;
}
