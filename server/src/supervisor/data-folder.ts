import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type FileLock, waitForFileLock } from '#platform/file-lock.ts';
import type { Logger } from '#platform/logger.ts';
import { findStopTimeMs } from './stop-time.ts';

const folderMode = 0o700;
// A start that has just been told to stop may not have said so yet.
const announceLimitMs = 2_000;
// PostgreSQL shuts down in up to 20.
const databaseStopMs = 20_000;
// Of a node whose variables are not known.
const defaultStopTimeMs = findStopTimeMs({ delayMs: 0, timeoutMs: 30_000 });

/**
 * Makes the data folder and takes it. A start before this one that is still stopping is waited for, as long as a stop
 * takes by the variables of this one.
 * @throws FileLockHeldError when another one runs on, or does not come to its end.
 */
export function lockDataFolder(
  dataDir: string,
  log: Logger,
  stopTimeMs = defaultStopTimeMs,
): Promise<FileLock> {
  const stopLimitMs = stopTimeMs + databaseStopMs;
  mkdirSync(dataDir, { recursive: true, mode: folderMode });
  let isTold = false;
  return waitForFileLock(
    join(dataDir, 'lock'),
    `The data folder ${dataDir}`,
    ({ holder, message }, waitedMs) => {
      if (!holder?.isLeaving) return waitedMs < announceLimitMs;
      if (!isTold) log.warn(`${message}; waiting for its end, up to ${stopLimitMs / 1000} seconds`);
      isTold = true;
      return waitedMs < stopLimitMs;
    },
  );
}
