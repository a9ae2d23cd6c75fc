import { decay } from '#domain/exponential-decay.ts';
import type { Clock } from '#platform/clock.ts';

const halfLifeMs = 10_000;
const retriesPerRequest = 0.1;
/** Retries always allowed within the half-life, however few the requests are. */
const retriesMin = 10;

/** Limits a worker's retries, so that they never become the load that keeps a provider down. */
export interface RetryBudget {
  recordRequest(): void;
  /** Consumes one retry; returns false if recent requests do not allow another. */
  take(): boolean;
}

/**
 * Creates a retry budget.
 * @param clock monotonic
 */
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
