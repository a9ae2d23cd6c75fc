const firstBackoffMs = 250;
const backoffMaxMs = 4_000;

export interface RetryFacts {
  /** Number of retries so far, and their maximum. */
  retries: number;
  retriesMax: number;
  /** Wait requested by the provider. */
  retryAfterMs?: number | undefined;
  /** The maximum wait; beyond it the call is not retried. */
  waitMaxMs: number;
  /** From 0 to 1. */
  random: number;
}

/** Returns the delay before a retry, doubling and jittered, or `null` if the call should not be retried. */
export function findRetryDelayMs({
  retries,
  retriesMax,
  retryAfterMs = 0,
  waitMaxMs,
  random,
}: RetryFacts): number | null {
  if (retries >= retriesMax || retryAfterMs > waitMaxMs) return null;
  const backoffMs = Math.min(firstBackoffMs * 2 ** retries, backoffMaxMs);
  // Never earlier than requested, and jittered beyond that, so that clients told the same time do not return at once.
  return retryAfterMs > 0 ? retryAfterMs + random * backoffMs : backoffMs * (0.5 + random / 2);
}
