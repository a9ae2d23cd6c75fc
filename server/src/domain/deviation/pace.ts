/** How often a person asks, in one clock hour and in their usual one. */
export interface Pace {
  readonly hourStartMs: number;
  /** Requests of that hour so far. */
  readonly requests: number;
  /** The running mean of the hours in which there were any. */
  readonly usual: number;
}

const hourMs = 3_600_000;
/** Hours with fewer requests than this are nobody's burst. */
const usualMin = 30;
const newHourShare = 0.2;

/** The pace with `count` more requests; what arrives late counts for the hour that runs. */
export function countRequests(pace: Pace | null, atMs: number, count: number): Pace {
  const hourStartMs = atMs - (atMs % hourMs);
  if (pace === null) return { hourStartMs, requests: count, usual: 0 };
  if (hourStartMs <= pace.hourStartMs) return { ...pace, requests: pace.requests + count };
  const usual = pace.usual + newHourShare * (pace.requests - pace.usual);
  return { hourStartMs, requests: count, usual };
}

/** 0 up to twice a person's usual hour, 1 from four times on. */
export function measureBurst({ requests, usual }: Pace): number {
  const base = Math.max(usual, usualMin);
  return Math.min(1, Math.max(0, requests / (2 * base) - 1));
}
