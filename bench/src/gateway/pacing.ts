const tickEveryMs = 1;

/** Decides when requests are due. */
export interface Pacing {
  /** Returns the due time of the next request that should be sent by now, if there is one. */
  next(): number | undefined;
  isOver(): boolean;
  stop(): void;
}

/** Closed loop: a request is due whenever a connection is free. */
export function paceByAnswers(durationMs: number): Pacing {
  const endsAtMs = performance.now() + durationMs;
  const isOver = () => performance.now() >= endsAtMs;
  return { next: () => (isOver() ? undefined : performance.now()), isOver, stop() {} };
}

/**
 * Open loop: requests are due at a fixed rate and queue for a free connection. Due times count from the first tick that
 * could send, so that the coarse timer adds nothing to the measured latency.
 */
export function paceByRate(durationMs: number, ratePerSecond: number, onDue: () => void): Pacing {
  const startedAtMs = performance.now();
  const due: number[] = [];
  let planned = 0;
  let hasEnded = false;
  const ticker = setInterval(() => {
    const now = performance.now();
    const elapsedMs = Math.min(now - startedAtMs, durationMs);
    for (; planned < Math.floor((elapsedMs / 1000) * ratePerSecond); planned += 1) due.push(now);
    hasEnded = elapsedMs === durationMs;
    if (hasEnded) clearInterval(ticker);
    onDue();
  }, tickEveryMs);
  return {
    next: () => due.shift(),
    isOver: () => hasEnded && due.length === 0,
    stop: () => clearInterval(ticker),
  };
}
