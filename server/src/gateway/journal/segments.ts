import { chmodSync, closeSync, fdatasyncSync, ftruncateSync, mkdirSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { endFrame, writeFrame } from '#gateway/journal/frame.ts';
import {
  createSegmentFile,
  measureSlot,
  segmentHeader,
  segmentPath,
  writeFully,
} from '#gateway/journal/segment-file.ts';

interface SegmentsOptions {
  dir: string;
  segmentBytes: number;
  /** A segment goes only once it gets no more, so that none may be written for long. */
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

/** The files of a running journal, one written at a time. The shipper deletes them. */
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

  /** Of this run and the others of the slot; too many by what the shipper has deleted since `measure`. */
  get bytesOnDisk(): number {
    return this.#bytesOnDisk;
  }

  measure(): void {
    this.#bytesOnDisk = measureSlot(dirname(this.#options.dir));
  }

  /** Writes whole frames into one segment. When it throws, nothing of them is kept. */
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

  /** Says in the file that no more comes. A disk that is full may keep that out; then the next file says so. */
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

  /** A file is never written again after a failed write: what the system kept of it is unknown. */
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

/** Readers stop at a torn frame, should this fail; a whole one that was refused is at worst shipped as interrupted. */
function truncate({ fd, bytes }: ActiveSegment): void {
  try {
    ftruncateSync(fd, bytes);
  } catch {
    // What to do about it is said above.
  }
}
