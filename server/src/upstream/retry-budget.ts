import type { Clock } from '#platform/clock.ts';
import { decay } from '#upstream/exponential-decay.ts';

const HALF_LIFE_MS = 10_000;
const RETRIES_PER_REQUEST = 0.1;
/** So many are allowed in a short while however few the requests are. */
const RETRIES_MIN = 10;

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
      if (retries + 1 > Math.max(RETRIES_MIN, RETRIES_PER_REQUEST * requests)) return false;
      retries++;
      return true;
    },
  };

  function age(): void {
    const nowMs = clock();
    requests = decay(requests, nowMs - countedAtMs, HALF_LIFE_MS);
    retries = decay(retries, nowMs - countedAtMs, HALF_LIFE_MS);
    countedAtMs = nowMs;
  }
}
