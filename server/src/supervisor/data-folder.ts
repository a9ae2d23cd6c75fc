import { constants } from 'node:fs';
import { access, mkdir, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type FileLock, waitForFileLock } from '#platform/file-lock.ts';
import type { Logger } from '#platform/logger.ts';
import { findStopTimeMs } from './stop-signals.ts';

const folderMode = 0o700;
// Time for another process that is stopping to record that in the lock file.
const announceLimitMs = 2_000;
// PostgreSQL takes up to 20 seconds to shut down.
const databaseStopMs = 20_000;
const defaultStopTimeMs = findStopTimeMs({ delayMs: 0, timeoutMs: 30_000 });
/** Timeout for file operations, since an unreachable network file system may block a call forever. */
const answerLimitMs = 4_000;
/** Larger than the lock file and its holder's name. */
const probeBytes = 16_384;

/** Thrown if the data folder cannot be used. The message contains the reason and the fix. */
export class DataFolderError extends Error {
  override readonly name = 'DataFolderError';
}

/**
 * Creates and locks the data folder. Another process that is stopping may take the configured stop time.
 * @throws DataFolderError if the folder cannot be used
 * @throws FileLockHeldError if another process holds the lock and does not stop in time
 */
export async function lockDataFolder(
  dataDir: string,
  log: Logger,
  stopTimeMs = defaultStopTimeMs,
): Promise<FileLock> {
  const stopLimitMs = stopTimeMs + databaseStopMs;
  await prepareDataFolder(dataDir);
  let isLogged = false;
  return waitForFileLock(
    join(dataDir, 'lock'),
    `The data folder ${dataDir}`,
    ({ holder, message }, waitedMs) => {
      if (!holder?.isLeaving) return waitedMs < announceLimitMs;
      if (!isLogged) log.warn(`${message}; waiting up to ${stopLimitMs / 1000} seconds for it to exit`);
      isLogged = true;
      return waitedMs < stopLimitMs;
    },
  );
}

/**
 * Creates a missing data folder and checks that files can be written there.
 * @throws DataFolderError
 */
export async function prepareDataFolder(dataDir: string): Promise<void> {
  await explainErrors(dataDir, async () => {
    await makeFolder(dataDir);
    await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
    const probe = join(dataDir, `.probe-${process.pid}`);
    try {
      await writeFile(probe, Buffer.alloc(probeBytes), { mode: 0o600 });
    } finally {
      await rm(probe, { force: true });
    }
  });
}

/**
 * Checks that the data folder exists and is readable, without creating anything.
 * @throws DataFolderError
 */
export async function requireDataFolder(dataDir: string): Promise<void> {
  await explainErrors(dataDir, async () => {
    if (!(await stat(dataDir)).isDirectory()) throw codeError('ENOTDIR');
    await access(dataDir, constants.R_OK | constants.X_OK);
  });
}

async function explainErrors(dataDir: string, work: () => Promise<void>): Promise<void> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(codeError('ETIMEDOUT')), answerLimitMs);
  try {
    await Promise.race([work(), late.promise]);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    const why = reasons[code] ?? `it cannot be used (${error instanceof Error ? error.message : error}).`;
    throw new DataFolderError(`The data folder ${dataDir} cannot be used: ${why} ${advice}`, {
      cause: error,
    });
  } finally {
    clearTimeout(timer);
  }
}

const advice = 'Set SLUICE_DATA_DIR to a folder on a local disk that belongs to the user that runs Sluice.';
const notFolder = 'a part of the path is a file or a device, not a folder.';
const forbidden = 'the user that runs Sluice may not read and write there.';
const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'it does not exist, or its file system does not let programs create folders (such as /proc).',
  ENOTDIR: notFolder,
  EEXIST: notFolder,
  EACCES: forbidden,
  EPERM: forbidden,
  EROFS: 'its file system is read-only.',
  ENOSPC: 'its disk is full.',
  EDQUOT: 'the disk quota of its user is used up.',
  ELOOP: 'its path is a loop of symbolic links.',
  ENAMETOOLONG: 'its path is too long.',
  ETIMEDOUT: `its file system did not respond within ${answerLimitMs / 1000} seconds.`,
};

const codeError = (code: string) => Object.assign(new Error(code), { code });

/** Creates one folder at a time. Node's recursive call never returns if a file system such as /proc reports ENOENT. */
async function makeFolder(path: string): Promise<void> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' && dirname(path) !== path) return null;
    throw error;
  });
  if (found?.isDirectory()) return;
  if (found) throw codeError('ENOTDIR');
  await makeFolder(dirname(path));
  await mkdir(path, { mode: folderMode }).catch((error: NodeJS.ErrnoException) => {
    // Another process may have created the folder. A dangling link also causes EEXIST but is not a folder.
    if (error.code !== 'EEXIST') throw error;
  });
}
