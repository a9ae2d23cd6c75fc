import {
  closeSync,
  fsyncSync,
  openSync,
  readdirSync,
  type Stats,
  statSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

/** Start of a segment file: a name, then the format version. */
export const segmentHeader = Buffer.from('SLUICEJ\x02', 'latin1');

const segmentFileName = /^\d{12}\.journal$/;

export interface SegmentFile {
  sequence: number;
  path: string;
}

export function segmentPath(dir: string, sequence: number): string {
  return join(dir, `${String(sequence).padStart(12, '0')}.journal`);
}

/** Returns the folder's segments, oldest first. */
export function listSegments(dir: string): SegmentFile[] {
  const names = readdirSync(dir).filter((name) => segmentFileName.test(name));
  return names.sort().map((name) => ({ sequence: Number.parseInt(name, 10), path: join(dir, name) }));
}

/** Returns the folders of all runs of a slot, oldest first; none for a slot that never ran. */
export function listRuns(slotDir: string): string[] {
  const entries = readdirSync(slotDir, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  return names.sort().map((name) => join(slotDir, name));
}

/** Returns the size of all segments of a slot's runs. Files may be deleted in the meantime. */
export function measureSlot(slotDir: string): number {
  const segments = listRuns(slotDir).flatMap((dir) => listUnlessGone(dir));
  return segments.reduce((sum, { path }) => sum + (sizeUnlessGone(path)?.size ?? 0), 0);
}

function listUnlessGone(dir: string): SegmentFile[] {
  try {
    return listSegments(dir);
  } catch {
    return [];
  }
}

function sizeUnlessGone(path: string): Stats | undefined {
  return statSync(path, { throwIfNoEntry: false });
}

/** Creates the file with its header and returns its descriptor; leaves nothing behind on failure. */
export function createSegmentFile(path: string, isSynced: boolean): number {
  const fd = openSync(path, 'wx', 0o600);
  try {
    writeFully(fd, segmentHeader, 0);
    if (isSynced) syncFolder(dirname(path));
    return fd;
  } catch (error) {
    closeSync(fd);
    unlinkSync(path);
    throw error;
  }
}

/** Without this a power loss may lose the file's name, even if its contents are synced. */
function syncFolder(dir: string): void {
  const fd = openSync(dir, 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** A write may be partial, for example on a disk that fills up; only the next write reports the error. */
export function writeFully(fd: number, bytes: Buffer, position: number): void {
  let written = 0;
  while (written < bytes.length) {
    written += writeSync(fd, bytes, written, bytes.length - written, position + written);
  }
}
