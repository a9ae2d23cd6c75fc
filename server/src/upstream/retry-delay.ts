const firstBackoffMs = 250;
const backoffMaxMs = 4_000;

export interface RetryFacts {
  /** How often the call has been repeated so far, and how often it may be. */
  retries: number;
  retriesMax: number;
  /** How long the provider asks to wait. */
  retryAfterMs?: number | undefined;
  /** The longest wait that is better than giving up here. */
  waitMaxMs: number;
  /** From 0 to 1. */
  random: number;
}

/** How long to wait before a failed call is repeated, or `null` when it should not be. Jittered, doubling. */
export function findRetryDelayMs({
  retries,
  retriesMax,
  retryAfterMs = 0,
  waitMaxMs,
  random,
}: RetryFacts): number | null {
  if (retries >= retriesMax || retryAfterMs > waitMaxMs) return null;
  const backoffMs = Math.min(firstBackoffMs * 2 ** retries, backoffMaxMs);
  // Never before the time that was asked for, and spread after it, or all who were told the same come back at once.
  return retryAfterMs > 0 ? retryAfterMs + random * backoffMs : backoffMs * (0.5 + random / 2);
}
