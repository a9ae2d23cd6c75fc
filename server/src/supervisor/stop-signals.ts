/** What asks a process of ours to stop: an operator, Ctrl-C, a terminal that closes. */
export const stopSignals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/** npm forwards a signal that the terminal sent to the whole process group too: copies within this time are one. */
const duplicateWindowMs = 1000;

export interface StopSignals {
  /** Aborts at the first signal, and when the process that launched this one is gone. */
  requested: AbortSignal;
  /** Aborts at the next SIGTERM or SIGINT, unless it is a copy of the first. */
  forced: AbortSignal;
  stopWatching(): void;
}

export function watchStopSignals(): StopSignals {
  const request = new AbortController();
  const force = new AbortController();
  let firstAtMs = 0;
  const requestStop = () => {
    if (request.signal.aborted) return;
    firstAtMs = performance.now();
    request.abort(new Error('stopped by a signal'));
  };
  const onSignal = (signal: NodeJS.Signals) => {
    const isAnother = request.signal.aborted && performance.now() - firstAtMs >= duplicateWindowMs;
    // A terminal that closes does not ask for haste.
    if (isAnother && signal !== 'SIGHUP') force.abort();
    requestStop();
  };
  for (const signal of stopSignals) process.on(signal, onSignal);
  process.once('disconnect', requestStop);
  return {
    requested: request.signal,
    forced: force.signal,
    stopWatching() {
      for (const signal of stopSignals) process.off(signal, onSignal);
      process.off('disconnect', requestStop);
    },
  };
}
