/** How a worker stops, step by step; each signal stays aborted from its step on. */
export interface StopSteps {
  /** The node counts as not ready. Requests are still taken. */
  readonly announced: AbortSignal;
  /** New requests are refused, those in flight may finish. */
  readonly draining: AbortSignal;
  /** What the console has running ends itself, while there is time to write it down. */
  readonly runsEnd: AbortSignal;
  /** What still runs is cut off. */
  readonly cutOff: AbortSignal;
  announce(): void;
  drain(): void;
}

/** Of the time to finish, how much the console's own runs get. */
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
