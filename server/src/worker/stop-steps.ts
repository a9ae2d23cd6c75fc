/** Steps of stopping a worker. Each signal aborts at its step and remains aborted. */
export interface StopSteps {
  /** Aborts when the node reports that it is not ready. The node still accepts requests. */
  readonly announced: AbortSignal;
  /** Aborts when new requests are rejected. Requests in flight may finish. */
  readonly draining: AbortSignal;
  /** Aborts when console runs, such as chat answers, must stop to have time to save their results. */
  readonly runsEnd: AbortSignal;
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
