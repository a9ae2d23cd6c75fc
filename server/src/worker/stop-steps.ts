/** Steps of stopping a worker; each signal aborts at its step and remains aborted. */
export interface StopSteps {
  /** The node counts as not ready but still accepts requests. */
  readonly announced: AbortSignal;
  /** New requests are rejected; those in flight may finish. */
  readonly draining: AbortSignal;
  /** Console runs, such as chat answers, stop while there is time to save their results. */
  readonly runsEnd: AbortSignal;
  /** Requests that are still running are cut off. */
  readonly cutOff: AbortSignal;
  announce(): void;
  drain(): void;
}

/** Share of the drain timeout after which console runs, such as chat answers, stop. */
const runsShare = 5 / 6;

export function createStopSteps(timeoutMs: number): StopSteps {
  const announced = new AbortController();
  const draining = new AbortController();
  const runsEnd = new AbortController();
  const cutOff = new AbortController();
  return {
    announced: announced.signal,
    draining: draining.signal,
    runsEnd: runsEnd.signal,
    cutOff: cutOff.signal,
    announce: () => announced.abort(),
    drain() {
      announced.abort();
      draining.abort();
      setTimeout(() => runsEnd.abort(), timeoutMs * runsShare).unref();
      setTimeout(() => cutOff.abort(), timeoutMs).unref();
    },
  };
}
