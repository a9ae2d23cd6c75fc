/** An allowance that is worth fewer requests than this is never leased ahead. */
const nearEndRequests = 20;
/** A slice is worth this many times what is wanted right now, and more while it does not last for a second, */
export const leastSliceFactor = 32;
const greatestSliceFactor = 1_024;
const lastingMs = 1_000;
/** but no more than this share of what is left, so that slices shrink and other nodes find some. */
const sliceShare = 8;

/** What to ask the database for; below `nearEnd` it grants the want alone. */
export interface Slice {
  readonly amount: number;
  readonly nearEnd: number;
}

/** `want` is what waiting requests lack, `largest` what the dearest of them takes, `left` what was last seen unleased. */
export function chooseSlice(want: number, largest: number, left: number, factor: number): Slice {
  const ahead = Math.min(want * factor, Math.floor(left / sliceShare));
  return { amount: Math.max(want, ahead), nearEnd: nearEndRequests * largest };
}

/** Larger slices for what is asked for again so soon, smaller ones for what is not. */
export function adaptSliceFactor(factor: number, sinceLastMs: number): number {
  const wanted = sinceLastMs < lastingMs ? factor * 2 : factor / 2;
  return Math.min(greatestSliceFactor, Math.max(leastSliceFactor, wanted));
}

/** Whether an allowance of which so much is left is too near its end to lease ahead for requests of this size. */
export function isNearEnd(left: number, amount: number): boolean {
  return left < nearEndRequests * amount;
}
