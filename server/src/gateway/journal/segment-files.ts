import {
  chmodSync,
  closeSync,
  fdatasyncSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { endFrame, writeFrame } from './frame.ts';

/**
 * Start of a segment file: a name, then the version of the frame and record format. Files with unsupported versions
 * are set aside as damaged.
 */
export const segmentHeader = Buffer.from('SLUICEJ\x03', 'latin1');

/** Segment header of the previous version, whose records have named fields. */
const previousHeader = Buffer.from('SLUICEJ\x02', 'latin1');

/** Whether the file is a segment of a supported version. A torn file may contain only part of the header. */
export function isSegmentStart(start: Buffer): boolean {
  return [segmentHeader, previousHeader].some((header) => start.equals(header.subarray(0, start.length)));
}

const segmentFileName = /^\d{12}\.journal$/;

export interface SegmentFile {
  sequence: number;
  path: string;
}

function segmentPath(dir: string, sequence: number): string {
  return join(dir, `${String(sequence).padStart(12, '0')}.journal`);
}

export function listSegments(dir: string): SegmentFile[] {
  const names = readdirSync(dir).filter((name) => segmentFileName.test(name));
  return names.sort().map((name) => ({ sequence: Number.parseInt(name, 10), path: join(dir, name) }));
}

/** Returns the folders of all runs in a slot, oldest first. Empty if the slot was never used. */
export function listRuns(slotDir: string): string[] {
  const entries = readdirSync(slotDir, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  return names.sort().map((name) => join(slotDir, name));
}

/** Tolerates files that are deleted in the meantime. */
function measureSlot(slotDir: string): number {
  const segments = listRuns(slotDir).flatMap((dir) => listUnlessGone(dir));
  const sizes = segments.map(({ path }) => statSync(path, { throwIfNoEntry: false })?.size ?? 0);
  return sizes.reduce((sum, size) => sum + size, 0);
}

function listUnlessGone(dir: string): SegmentFile[] {
  try {
    return listSegments(dir);
  } catch {
    return [];
  }
}

function createSegmentFile(path: string, isSynced: boolean): number {
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

/** Without this call, a power loss may lose the file's name even if its contents are synced. */
function syncFolder(dir: string): void {
  const fd = openSync(dir, 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** A write may be partial, for example when the disk fills up; then only the next write reports the error. */
function writeFully(fd: number, bytes: Buffer, position: number): void {
  let written = 0;
  while (written < bytes.length) {
    written += writeSync(fd, bytes, written, bytes.length - written, position + written);
  }
}

interface SegmentsOptions {
  dir: string;
  segmentBytes: number;
  /** Maximum time during which records are added to a segment. A segment is deleted only after it is sealed. */
  segmentMs: number;
  isSynced: boolean;
}

interface ActiveSegment {
  readonly path: string;
  readonly fd: number;
  readonly sealTimer: NodeJS.Timeout;
  bytes: number;
}

const end = Buffer.alloc(endFrame.bytes);
writeFrame(end, 0, endFrame);

/** The running journal writes to one segment. The shipper deletes segments. */
export class Segments {
  readonly #options: SegmentsOptions;
  #active: ActiveSegment | undefined;
  #lastSequence = 0;
  #bytesOnDisk = 0;

  constructor(options: SegmentsOptions) {
    this.#options = options;
    mkdirSync(options.dir, { recursive: true, mode: 0o700 });
    chmodSync(options.dir, 0o700);
    this.measure();
  }

  /** Does not include deletions by the shipper since `measure`. */
  get bytesOnDisk(): number {
    return this.#bytesOnDisk;
  }

  measure(): void {
    this.#bytesOnDisk = measureSlot(dirname(this.#options.dir));
  }

  /** On an error, none of the frames are kept. */
  write(frames: Buffer): void {
    const { isSynced, segmentBytes } = this.#options;
    if (this.#active && this.#active.bytes + frames.length + end.length > segmentBytes) this.seal();
    this.#active ??= this.#create();
    const { bytes, fd } = this.#active;
    try {
      writeFully(fd, frames, bytes);
      if (isSynced) fdatasyncSync(fd);
    } catch (error) {
      this.#abandon(this.#active);
      throw error;
    }
    this.#active.bytes += frames.length;
    this.#bytesOnDisk += frames.length;
  }

  seal(): void {
    const active = this.#active;
    if (!active) return;
    try {
      writeFully(active.fd, end, active.bytes);
    } catch {
      truncate(active);
    }
    this.#close(active);
    this.measure();
  }

  #create(): ActiveSegment {
    const { dir, isSynced, segmentMs } = this.#options;
    const path = segmentPath(dir, ++this.#lastSequence);
    const fd = createSegmentFile(path, isSynced);
    const sealTimer = setTimeout(() => this.seal(), segmentMs).unref();
    this.#bytesOnDisk += segmentHeader.length;
    return { path, fd, sealTimer, bytes: segmentHeader.length };
  }

  /** A file is never written again after a failed write, since its contents are unknown. */
  #abandon(active: ActiveSegment): void {
    truncate(active);
    this.#close(active);
    if (active.bytes === segmentHeader.length) rmSync(active.path, { force: true });
  }

  #close({ fd, sealTimer }: ActiveSegment): void {
    this.#active = undefined;
    clearTimeout(sealTimer);
    closeSync(fd);
  }
}

/**
 * If truncating fails, readers stop at a torn frame. At worst, a rejected but complete frame is shipped as an
 * interrupted request.
 */
function truncate({ fd, bytes }: ActiveSegment): void {
  try {
    ftruncateSync(fd, bytes);
  } catch {
    // The partial frame remains in the file. Readers handle partial frames.
  }
}
