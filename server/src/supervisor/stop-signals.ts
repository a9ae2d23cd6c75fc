import type { Config } from '#config/config.ts';

/** Signals that stop Sluice: from an operator, Ctrl-C or a closing terminal. */
export const stopSignals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/**
 * Signals within this time count as one, since npm forwards signals that the terminal has already sent to the whole
 * process group.
 */
const duplicateWindowMs = 1000;

export interface StopSignals {
  /** Aborts at the first signal, or when the parent process exits. */
  requested: AbortSignal;
  /** Aborts at the next SIGTERM or SIGINT that is not a copy of the first signal. */
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
    // A closing terminal does not request a faster stop.
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

/** Time after a worker's last request, for sending errors to aborted requests and writing the last journal records. */
export const afterRequestsMs = 8_000;
/** Time for shipping the remaining journals after the workers have exited. */
export const shipMs = 10_000;
/** Kill timeout of a shipper. Its last batch may wait for the database slightly longer than `shipMs`. */
export const shipKillMs = shipMs + 2_000;

/**
 * Returns the maximum time to stop in milliseconds, without the embedded database. Process managers must wait that
 * long.
 */
export function findStopTimeMs({ delayMs, timeoutMs }: Config['drain']): number {
  return delayMs + timeoutMs + afterRequestsMs + shipKillMs;
}
