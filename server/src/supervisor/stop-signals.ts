/** npm forwards a signal that the terminal sent to the whole process group too: copies within this time are one. */
const duplicateWindowMs = 1000;

export type StopSignals = {
  /** Aborts at the first SIGTERM or SIGINT. */
  requested: AbortSignal;
  /** Aborts at the next one, unless it is a copy of the first. */
  forced: AbortSignal;
  stopWatching(): void;
};

export function watchStopSignals(): StopSignals {
  const request = new AbortController();
  const force = new AbortController();
  let firstAtMs = 0;
  const onSignal = () => {
    if (!request.signal.aborted) {
      firstAtMs = performance.now();
      request.abort(new Error('stopped by a signal'));
    } else if (performance.now() - firstAtMs >= duplicateWindowMs) {
      force.abort();
    }
  };
  for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, onSignal);
  return {
    requested: request.signal,
    forced: force.signal,
    stopWatching() {
      for (const signal of ['SIGTERM', 'SIGINT']) process.off(signal, onSignal);
    },
  };
}
