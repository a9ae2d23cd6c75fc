/** Returns the smallest value that is at least as large as the given share of the values; 0 if there are no values. */
export function percentile(values: Iterable<number>, share: number): number {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
}

/** Returns the middle value, or the mean of the two middle values; 0 if there are no values. */
export function median(values: number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const upper = sorted.length >> 1;
  const middle =
    sorted.length % 2 === 0 ? sorted.slice(upper - 1, upper + 1) : sorted.slice(upper, upper + 1);
  return middle.reduce((sum, value) => sum + value, 0) / Math.max(1, middle.length);
}

export interface Spread {
  median: number;
  min: number;
  max: number;
}

/** Returns the spread of the ratios of values with the same index; `null` if no base is above 0. */
export function spreadRatios(values: readonly number[], bases: readonly number[]): Spread | null {
  const ratios = values.flatMap((value, index) => {
    const base = bases[index];
    return base === undefined || base <= 0 ? [] : [value / base];
  });
  if (ratios.length === 0) return null;
  return { median: median(ratios), min: Math.min(...ratios), max: Math.max(...ratios) };
}
