/** Number of a user's requests in one clock hour and in their usual hour. */
export interface Pace {
  readonly hourStartMs: number;
  /** Requests in that hour so far. */
  readonly requests: number;
  /** Running mean of the hours with requests. */
  readonly usual: number;
}

const hourMs = 3_600_000;
/** Hours with fewer requests than this are never a burst. */
const usualMin = 30;
const newHourShare = 0.2;

/** Adds `count` requests to the pace; late ones count for the current hour. */
export function countRequests(pace: Pace | null, atMs: number, count: number): Pace {
  const hourStartMs = atMs - (atMs % hourMs);
  if (pace === null) return { hourStartMs, requests: count, usual: 0 };
  if (hourStartMs <= pace.hourStartMs) return { ...pace, requests: pace.requests + count };
  const usual = pace.usual + newHourShare * (pace.requests - pace.usual);
  return { hourStartMs, requests: count, usual };
}

/** Returns 0 up to twice a user's usual hour, and 1 from four times on. */
export function measureBurst({ requests, usual }: Pace): number {
  const base = Math.max(usual, usualMin);
  return Math.min(1, Math.max(0, requests / (2 * base) - 1));
}
