const RETRIES_MAX = 2;
const BACKOFF_MS = 250;

export interface RetryFacts {
  /** How often the call has been repeated so far. */
  retries: number;
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
  retryAfterMs = 0,
  waitMaxMs,
  random,
}: RetryFacts): number | null {
  if (retries >= RETRIES_MAX || retryAfterMs > waitMaxMs) return null;
  const backoffMs = BACKOFF_MS * 2 ** retries;
  // Never before the time that was asked for, and spread after it, or all who were told the same come back at once.
  return retryAfterMs > 0 ? retryAfterMs + random * backoffMs : backoffMs * (0.5 + random / 2);
}
