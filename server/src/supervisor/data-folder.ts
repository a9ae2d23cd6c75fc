import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type FileLock, waitForFileLock } from '#platform/file-lock.ts';
import type { Logger } from '#platform/logger.ts';

const folderMode = 0o700;
// A start that has just been told to stop may not have said so yet.
const announceLimitMs = 2_000;
// Workers drain for up to 35 seconds, PostgreSQL shuts down in up to 20.
const stopLimitMs = 60_000;

/**
 * Makes the data folder and takes it. A start before this one that is still stopping is waited for.
 * @throws FileLockHeldError when another one runs on, or does not come to its end.
 */
export function lockDataFolder(dataDir: string, log: Logger): Promise<FileLock> {
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
