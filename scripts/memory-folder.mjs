import { chmodSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { freemem } from 'node:os';
import { join } from 'node:path';

const memoryDisk = '/dev/shm';
const gibibyte = 1024 ** 3;
const wanted = { diskBytes: 6 * gibibyte, memoryBytes: 10 * gibibyte };

/**
 * A folder for what tests write, in memory where there is plenty: they make and drop hundreds of databases, on which
 * disks spend a third of the processors. Else `path` is undefined, and tests write where the system says.
 */
export function makeMemoryFolder() {
  if (!hasRoom()) return { path: undefined, remove: () => {} };
  const path = mkdtempSync(join(memoryDisk, 'sluice-'));
  // Where the tests run as root, PostgreSQL runs as another user and has its folders within.
  chmodSync(path, 0o755);
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

function hasRoom() {
  try {
    const { bavail, bsize } = statfsSync(memoryDisk);
    return bavail * bsize >= wanted.diskBytes && freemem() >= wanted.memoryBytes;
  } catch {
    return false;
  }
}
