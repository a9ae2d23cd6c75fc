/** If an allowance is sufficient for fewer requests than this, nothing is leased ahead. */
const nearEndRequests = 20;
/** Minimum size of a slice as a multiple of the current demand; slices grow while they last less than a second. */
export const leastSliceFactor = 32;
const greatestSliceFactor = 1_024;
const lastingMs = 1_000;
/** A slice is at most the remaining amount divided by this, so that slices shrink and other nodes get some. */
const sliceShare = 8;

/** Amount to lease from the database; if less than `nearEnd` is left, only the demand is granted. */
export interface Slice {
  readonly amount: number;
  readonly nearEnd: number;
}

/**
 * Chooses the next slice. `want` is the amount that waiting requests lack, `largest` the amount of the largest of
 * these requests, `left` the last known unleased amount.
 */
export function chooseSlice(want: number, largest: number, left: number, factor: number): Slice {
  const ahead = Math.min(want * factor, Math.floor(left / sliceShare));
  return { amount: Math.max(want, ahead), nearEnd: nearEndRequests * largest };
}

/** Whether a slice has less than a quarter left, so that the next one should be requested. */
export function isRunningLow(spare: number, slice: number): boolean {
  return spare < slice / 4;
}

/** Increases the factor if the next slice is needed soon, and decreases it otherwise. */
export function adaptSliceFactor(factor: number, sinceLastMs: number): number {
  const wanted = sinceLastMs < lastingMs ? factor * 2 : factor / 2;
  return Math.min(greatestSliceFactor, Math.max(leastSliceFactor, wanted));
}

/** Whether too little is left to lease ahead for requests of this size. */
export function isNearEnd(left: number, amount: number): boolean {
  return left < nearEndRequests * amount;
}
