import { decay } from '#domain/exponential-decay.ts';
import type { Clock } from '#platform/clock.ts';

const halfLifeMs = 10_000;
const retriesPerRequest = 0.1;
/** So many are allowed in a short while however few the requests are. */
const retriesMin = 10;

/** What a worker may spend on repeating calls, so that retries never become the load that keeps a provider down. */
export interface RetryBudget {
  recordRequest(): void;
  /** Takes one retry; false when there have been too many for the requests of the last moments. */
  take(): boolean;
}

/** @param clock monotonic */
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
