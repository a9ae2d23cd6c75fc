/** Nothing is leased ahead if an allowance covers fewer requests than this. */
const nearEndRequests = 20;
/** Minimum slice size as a multiple of the current demand. Slices grow while each one is used up within a second. */
export const leastSliceFactor = 32;
const greatestSliceFactor = 1_024;
const lastingMs = 1_000;
/**
 * Maximum slice size as a divisor of the remaining amount. Slices therefore shrink, which leaves amounts for other
 * nodes.
 */
const sliceShare = 8;

/** Amount to lease from the database. If less than `nearEnd` is left, only the current demand is granted. */
export interface Slice {
  readonly amount: number;
  readonly nearEnd: number;
}

/**
 * Chooses the next slice. `want` is the amount that waiting requests need, `largest` is the largest amount of these
 * requests, and `left` is the last known unleased amount.
 */
export function chooseSlice(want: number, largest: number, left: number, factor: number): Slice {
  const ahead = Math.min(want * factor, Math.floor(left / sliceShare));
  return { amount: Math.max(want, ahead), nearEnd: nearEndRequests * largest };
}

export function isRunningLow(spare: number, slice: number): boolean {
  return spare < slice / 4;
}

export function adaptSliceFactor(factor: number, sinceLastMs: number): number {
  const wanted = sinceLastMs < lastingMs ? factor * 2 : factor / 2;
  return Math.min(greatestSliceFactor, Math.max(leastSliceFactor, wanted));
}

export function isNearEnd(left: number, amount: number): boolean {
  return left < nearEndRequests * amount;
}
