import { chmodSync, closeSync, fdatasyncSync, ftruncateSync, mkdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import type { OnProblem } from '#gateway/journal/record.ts';
import {
  createSegmentFile,
  listSegments,
  type SegmentFile,
  segmentHeaderBytes,
  segmentPath,
  writeFully,
} from '#gateway/journal/segment-file.ts';

/** A live segment. `unresolved` counts its records that still await the database. */
export type Segment = SegmentFile & { unresolved: number };

interface SegmentsOptions {
  dir: string;
  segmentBytes: number;
  isSynced: boolean;
  onProblem: OnProblem;
}

/** The files of a running journal: one is written, the sealed ones wait until all their records are resolved. */
export class Segments {
  readonly #options: SegmentsOptions;
  readonly #live = new Map<number, Segment>();
  #active: { segment: Segment; fd: number } | undefined;
  #lastSequence = 0;
  #bytesOnDisk = 0;

  constructor(options: SegmentsOptions) {
    this.#options = options;
    mkdirSync(options.dir, { recursive: true, mode: 0o700 });
    chmodSync(options.dir, 0o700);
    for (const leftover of listSegments(options.dir)) {
      this.#lastSequence = leftover.sequence;
      this.#bytesOnDisk += leftover.bytes;
    }
  }

  /** Leftovers of an earlier run included. */
  get bytesOnDisk(): number {
    return this.#bytesOnDisk;
  }

  /** Writes whole frames into one segment and returns it. When it throws, nothing of them is kept. */
  write(frames: Buffer): Segment {
    if (this.#active && this.#active.segment.bytes + frames.length > this.#options.segmentBytes) this.seal();
    this.#active ??= this.#create();
    const { segment, fd } = this.#active;
    try {
      writeFully(fd, frames, segment.bytes);
      if (this.#options.isSynced) fdatasyncSync(fd);
    } catch (error) {
      this.#abandon(this.#active);
      throw error;
    }
    segment.bytes += frames.length;
    this.#bytesOnDisk += frames.length;
    return segment;
  }

  /** The live segment with this sequence, else the next younger one. */
  atOrAfter(sequence: number): Segment | undefined {
    return this.#live.values().find((segment) => segment.sequence >= sequence);
  }

  resolve(sequence: number | undefined): void {
    const segment = sequence === undefined ? undefined : this.#live.get(sequence);
    if (segment) segment.unresolved--;
  }

  /** Deletes the segments without unresolved records, the one being written included. */
  async removeResolved(): Promise<void> {
    if (this.#active?.segment.unresolved === 0) this.seal();
    const resolved = [...this.#live.values()].filter(({ unresolved }) => unresolved === 0);
    await Promise.all(resolved.map((segment) => this.#remove(segment)));
  }

  seal(): void {
    const active = this.#active;
    this.#active = undefined;
    if (active) closeSync(active.fd);
  }

  #create(): { segment: Segment; fd: number } {
    const sequence = ++this.#lastSequence;
    const path = segmentPath(this.#options.dir, sequence);
    const fd = createSegmentFile(path, this.#options.isSynced);
    const segment = { sequence, path, bytes: segmentHeaderBytes, unresolved: 0 };
    this.#live.set(sequence, segment);
    this.#bytesOnDisk += segment.bytes;
    return { segment, fd };
  }

  /** A file is never written again after a failed write: what the system kept of it is unknown. */
  #abandon({ segment, fd }: { segment: Segment; fd: number }): void {
    try {
      ftruncateSync(fd, segment.bytes);
    } catch {
      // Readers stop at a torn frame; a whole one that was refused is at worst shipped as interrupted.
    }
    this.seal();
    if (segment.unresolved === 0) void this.#remove(segment);
  }

  async #remove(segment: Segment): Promise<void> {
    this.#live.delete(segment.sequence);
    try {
      await rm(segment.path, { force: true });
      this.#bytesOnDisk -= segment.bytes;
    } catch (error) {
      this.#options.onProblem({ kind: 'remove-failed', path: segment.path, error });
    }
  }
}
