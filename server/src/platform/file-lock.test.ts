import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { acquireFileLock, FileLockHeldError, waitForFileLock } from './file-lock.ts';

let folder: string;
let path: string;
const children: ChildProcess[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'file-lock-'));
  path = join(folder, 'lock');
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  rmSync(folder, { recursive: true });
});

/** The process holds the lock until it is killed, and exits immediately if the lock is not available. */
async function startHolder(): Promise<ChildProcess> {
  const script = `
    import { acquireFileLock } from ${JSON.stringify(join(import.meta.dirname, 'file-lock.ts'))};
    try { acquireFileLock(process.argv[1], 'it'); } catch (error) { process.stdout.write(error.message); process.exit(3); }
    globalThis.gc();
    process.stdout.write('held');
    setInterval(() => globalThis.gc(), 5);
  `;
  const child = spawn(process.execPath, ['--expose-gc', '--input-type=module', '--eval', script, path], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  await once(child.stdout, 'data');
  return child;
}

test('acquireFileLock rejects a lock held by another process, and names that process', async () => {
  const child = await startHolder();
  expect(() => acquireFileLock(path, 'The data folder')).toThrow(FileLockHeldError);
  expect(() => acquireFileLock(path, 'The data folder')).toThrow(
    new RegExp(`^The data folder is in use by process ${child.pid} on .+ since \\d{4}-\\d\\d-\\d\\dT`),
  );
});

test('acquireFileLock succeeds after the holder was killed with kill -9', async () => {
  const child = await startHolder();
  expect(readdirSync(folder).sort()).toEqual(['lock', 'lock.holder']);
  child.kill('SIGKILL');
  await once(child, 'exit');
  const lock = acquireFileLock(path, 'It');
  lock.release();
});

test('a lock whose holder cannot write its name is held, announced and released', () => {
  // Writing to a link without a target fails, like writing to a full disk.
  const breakWrites = () => symlinkSync(join(folder, 'none', 'file'), `${path}.holder.${process.pid}`);
  breakWrites();
  const lock = acquireFileLock(path, 'It');
  expect(() => acquireFileLock(path, 'It')).toThrow('another process that has not written its name yet');
  breakWrites();
  lock.announceRelease();
  lock.release();
  acquireFileLock(path, 'It').release();
  expect(readdirSync(folder)).toEqual(['lock']);
});

test('waitForFileLock resolves when the holder is killed', async () => {
  const child = await startHolder();
  const waiting = waitForFileLock(path, 'It', () => true);
  child.kill('SIGKILL');
  (await waiting).release();
});

test('waitForFileLock fails like acquireFileLock after the allowed time', async () => {
  await startHolder();
  await expect(waitForFileLock(path, 'It', (_, waitedMs) => waitedMs < 60)).rejects.toThrow(
    FileLockHeldError,
  );
});

test('FileLockHeldError reports whether the holder is about to release the lock', () => {
  const lock = acquireFileLock(path, 'It');
  const seen = () => {
    try {
      return acquireFileLock(path, 'It');
    } catch (error) {
      return error instanceof FileLockHeldError && error.holder?.isLeaving;
    }
  };
  expect(seen()).toBe(false);
  lock.announceRelease();
  expect(seen()).toBe(true);
  lock.release();
  lock.announceRelease();
  expect(existsSync(`${path}.holder`)).toBe(false);
});

test('acquireFileLock is exclusive until its release, even within one process', () => {
  const lock = acquireFileLock(path, 'It');
  expect(() => acquireFileLock(path, 'It')).toThrow(`process ${process.pid} `);
  lock.release();
  lock.release();
  expect(existsSync(`${path}.holder`)).toBe(false);
  acquireFileLock(path, 'It').release();
});

test('acquireFileLock keeps the lock if its holder tries to acquire it again', async () => {
  const lock = acquireFileLock(path, 'It');
  expect(() => acquireFileLock(path, 'It')).toThrow(FileLockHeldError);
  const rival = await startHolder();
  const [code] = rival.exitCode === null ? await once(rival, 'exit') : [rival.exitCode];
  expect(code).toBe(3);
  lock.release();
});

test('acquireFileLock reports a path that cannot be locked instead of naming a holder', () => {
  expect(() => acquireFileLock(join(folder, 'missing', 'lock'), 'It')).toThrow('cannot lock');
});
