import { decay } from '#domain/exponential-decay.ts';
import type { Clock } from '#platform/clock.ts';
import type { UpstreamHeaders } from './upstream-response.ts';

const halfLifeMs = 10_000;
const retriesPerRequest = 0.1;
/** Minimum number of retries allowed within the half-life, even if there are few requests. */
const retriesMin = 10;

/** Limits a worker's retries, so that retries cannot overload a failing provider. */
export interface RetryBudget {
  recordRequest(): void;
  /** Returns `false` if recent requests do not allow another retry. */
  take(): boolean;
}

/** Creates a retry budget. `clock` is monotonic. */
export function createRetryBudget(clock: Clock): RetryBudget {
  let requests = 0;
  let retries = 0;
  let countedAtMs = 0;

  return {
    recordRequest() {
      age();
      requests++;
    },
    take() {
      age();
      if (retries + 1 > Math.max(retriesMin, retriesPerRequest * requests)) return false;
      retries++;
      return true;
    },
  };

  function age(): void {
    const nowMs = clock();
    requests = decay(requests, nowMs - countedAtMs, halfLifeMs);
    retries = decay(retries, nowMs - countedAtMs, halfLifeMs);
    countedAtMs = nowMs;
  }
}

/** Reads `retry-after-ms`, or `retry-after` in seconds or as an HTTP date. */
export function readRetryAfterMs(headers: UpstreamHeaders, nowMs: number): number | undefined {
  const delayMs = readNumber(headers['retry-after-ms']);
  if (delayMs !== undefined) return delayMs;
  const value = headers['retry-after'];
  const delaySeconds = readNumber(value);
  if (delaySeconds !== undefined) return delaySeconds * 1000;
  const dateMs = typeof value === 'string' && /^\w{3}, .* GMT$/.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(dateMs) ? undefined : Math.max(0, dateMs - nowMs);
}

function readNumber(value: string | string[] | undefined): number | undefined {
  return typeof value === 'string' && /^\d{1,9}(\.\d+)?$/.test(value.trim()) ? Number(value) : undefined;
}

const firstBackoffMs = 250;
const backoffMaxMs = 4_000;

export interface RetryFacts {
  /** Number of previous retries, and their maximum. */
  retries: number;
  retriesMax: number;
  retryAfterMs?: number | undefined;
  /** The call is not retried if the wait would be longer. */
  waitMaxMs: number;
  random: number;
}

/** Returns the delay before a retry, exponential with jitter, or `null` if the call should not be retried. */
export function findRetryDelayMs({
  retries,
  retriesMax,
  retryAfterMs = 0,
  waitMaxMs,
  random,
}: RetryFacts): number | null {
  if (retries >= retriesMax || retryAfterMs > waitMaxMs) return null;
  const backoffMs = Math.min(firstBackoffMs * 2 ** retries, backoffMaxMs);
  // Never shorter than requested. Jitter prevents clients with the same `retry-after` from retrying at the same time.
  return retryAfterMs > 0 ? retryAfterMs + random * backoffMs : backoffMs * (0.5 + random / 2);
}
