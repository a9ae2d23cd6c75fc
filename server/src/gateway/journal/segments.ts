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
  /** A segment is deleted only after it is sealed, so none may be written for long. */
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

  /** Bytes of all runs of the slot; too high by what the shipper has deleted since `measure`. */
  get bytesOnDisk(): number {
    return this.#bytesOnDisk;
  }

  measure(): void {
    this.#bytesOnDisk = measureSlot(dirname(this.#options.dir));
  }

  /** Writes whole frames into one segment. On an error none of them is kept. */
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

  /** Marks the end of the file. A full disk may prevent that; then the next file shows that this one has ended. */
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
 * If this fails, readers stop at a torn frame; a whole frame that was rejected is at worst shipped as interrupted.
 */
function truncate({ fd, bytes }: ActiveSegment): void {
  try {
    ftruncateSync(fd, bytes);
  } catch {
    // See the comment on this function for the consequences.
  }
}
