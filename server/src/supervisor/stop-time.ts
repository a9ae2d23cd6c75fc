import type { Config } from '#config/config.ts';

/** Time after a worker's requests: errors for those cut off, and the last records of the journal. */
export const afterRequestsMs = 8_000;
/** Time to ship the remaining journals after the workers have ended. */
export const shipMs = 10_000;
/** The last batch of a shipper may wait for the database a little longer. */
export const shipKillMs = shipMs + 2_000;

/** Returns the longest stop time of a node without its embedded database. Process managers must wait this long. */
export function findStopTimeMs({ delayMs, timeoutMs }: Config['drain']): number {
  return delayMs + timeoutMs + afterRequestsMs + shipKillMs;
}
