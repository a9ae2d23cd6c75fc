import type { Config } from '#config/config.ts';

/** For what follows the requests of a worker: errors to those that were cut off, the last records of the journal. */
export const afterRequestsMs = 8_000;
/** For what the journals still hold when the workers have ended. */
export const shipMs = 10_000;
/** A shipper's last batch may wait for the database a little longer. */
export const shipKillMs = shipMs + 2_000;

/** How long a node takes to stop at most, but for its embedded database. What stops it must wait for as long. */
export function findStopTimeMs({ delayMs, timeoutMs }: Config['drain']): number {
  return delayMs + timeoutMs + afterRequestsMs + shipKillMs;
}
