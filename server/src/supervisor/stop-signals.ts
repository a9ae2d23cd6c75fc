import type { Config } from '#config/config.ts';

/** Signals that stop these processes: sent by an operator, Ctrl-C or a closing terminal. */
export const stopSignals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/**
 * Signals within this time count once, since npm also forwards a signal that the terminal has sent to the whole
 * process group.
 */
const duplicateWindowMs = 1000;

export interface StopSignals {
  /** Aborts at the first signal, or when the parent process has exited. */
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

/**
 * Time after a worker's last request for sending errors to the requests cut off and writing the last records of the
 * journal.
 */
export const afterRequestsMs = 8_000;
/** Time to ship the remaining journals after the workers have exited. */
export const shipMs = 10_000;
/** A shipper's last batch may wait for the database a little longer. */
export const shipKillMs = shipMs + 2_000;

/**
 * Returns the longest stop time of a node without its embedded database, which process managers must wait for, in
 * milliseconds.
 */
export function findStopTimeMs({ delayMs, timeoutMs }: Config['drain']): number {
  return delayMs + timeoutMs + afterRequestsMs + shipKillMs;
}
