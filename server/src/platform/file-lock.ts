import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';

/** Lock that is held until `release` or until this process exits for any reason. */
export interface FileLock {
  path: string;
  /** Notifies waiting processes that the lock will be free soon. */
  announceRelease(): void;
  release(): void;
}

interface Holder {
  pid: number;
  host: string;
  since: string;
  isLeaving: boolean;
}

/** The message names the holder if known, so a holder that cannot write its name still has the lock. */
export class FileLockHeldError extends Error {
  readonly holder: Holder | null;

  constructor(path: string, description: string, holder: Holder | null) {
    const who = holder
      ? `process ${holder.pid} on ${holder.host} since ${holder.since}${holder.isLeaving ? ', which is stopping' : ''}`
      : 'another process that has not written its name yet';
    super(`${description} is in use by ${who} (lock file ${path})`);
    this.name = 'FileLockHeldError';
    this.holder = holder;
  }
}

// Keeps references, since the garbage collector would close an unreferenced connection and thereby release the lock.
const heldConnections = new Set<DatabaseSync>();
const sqliteBusy = 5;
const retryEveryMs = 50;

/**
 * Acquires the lock at `path` or throws a FileLockHeldError. `description` is the subject of the error message. The
 * lock is an operating system lock held by SQLite. It ends with the process, so kill -9 leaves no stale lock.
 */
export function acquireFileLock(path: string, description: string): FileLock {
  const connection = lockFile(path, description);
  heldConnections.add(connection);
  const holder = { pid: process.pid, host: hostname(), since: new Date().toISOString(), isLeaving: false };
  writeHolder(path, holder);
  return {
    path,
    announceRelease() {
      if (heldConnections.has(connection)) writeHolder(path, { ...holder, isLeaving: true });
    },
    release() {
      if (!heldConnections.delete(connection)) return;
      rmSync(holderFile(path), { force: true });
      connection.close();
    },
  };
}

/** Acquires the lock like acquireFileLock, but waits for it while `canWait` returns true. */
export async function waitForFileLock(
  path: string,
  description: string,
  canWait: (held: FileLockHeldError, waitedMs: number) => boolean,
): Promise<FileLock> {
  const startedMs = performance.now();
  while (true) {
    try {
      return acquireFileLock(path, description);
    } catch (error) {
      if (!(error instanceof FileLockHeldError) || !canWait(error, performance.now() - startedMs))
        throw error;
    }
    await delay(retryEveryMs);
  }
}

function lockFile(path: string, description: string): DatabaseSync {
  let connection: DatabaseSync | undefined;
  try {
    connection = new DatabaseSync(path);
    // The transaction writes nothing, so its journal needs no file, which kill -9 would leave behind.
    connection.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
    return connection;
  } catch (error) {
    connection?.close();
    if (isBusy(error)) throw new FileLockHeldError(path, description, readHolder(path));
    throw new Error(`cannot lock ${path}`, { cause: error });
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === sqliteBusy;
}

// The holder is in a separate file, because closing any handle of the locked file would release this process's locks.
function holderFile(path: string): string {
  return `${path}.holder`;
}

/** Removes the previous holder's name if the new one cannot be written, for example because the disk is full. */
function writeHolder(path: string, holder: Holder): void {
  const draft = `${holderFile(path)}.${process.pid}`;
  try {
    writeFileSync(draft, JSON.stringify(holder), { mode: 0o600 });
    renameSync(draft, holderFile(path));
  } catch {
    for (const file of [draft, holderFile(path)]) rmSync(file, { force: true });
  }
}

function readHolder(path: string): Holder | null {
  try {
    const { pid, host, since, isLeaving } = JSON.parse(readFileSync(holderFile(path), 'utf8'));
    return { pid: Number(pid), host: String(host), since: String(since), isLeaving: isLeaving === true };
  } catch {
    return null;
  }
}
