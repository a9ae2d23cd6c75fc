import { type Frame, toFrame, writeFrame } from '#gateway/journal/frame.ts';
import type { JournalRecord } from '#gateway/journal/record.ts';

/** A staged record and its position. */
interface Staged {
  readonly kind: JournalRecord['kind'];
  readonly id: string;
  readonly start: number;
  readonly end: number;
}

export interface Batch {
  /** Valid until the next record is staged. */
  readonly bytes: Buffer;
  readonly staged: readonly Staged[];
}

/** Buffer of encoded records that are written together. */
export class Staging {
  #buffer: Buffer;
  #usedBytes = 0;
  #staged: Staged[] = [];

  constructor(bytes: number) {
    this.#buffer = Buffer.allocUnsafe(bytes);
  }

  /**
   * Adds a record. Calls `makeRoom`, which must call `empty`, if it does not fit; a larger record grows the buffer.
   */
  add(record: JournalRecord, makeRoom: () => void): void {
    const frame = toFrame(record);
    if (this.#usedBytes > 0 && this.#usedBytes + frame.bytes > this.#buffer.length) makeRoom();
    if (frame.bytes > this.#buffer.length) this.#buffer = Buffer.allocUnsafe(frame.bytes);
    this.#write(record, frame);
  }

  empty(): Batch {
    const batch = { bytes: this.#buffer.subarray(0, this.#usedBytes), staged: this.#staged };
    this.#usedBytes = 0;
    this.#staged = [];
    return batch;
  }

  #write({ kind, id }: JournalRecord, frame: Frame): void {
    const start = this.#usedBytes;
    this.#usedBytes = writeFrame(this.#buffer, start, frame);
    this.#staged.push({ kind, id, start, end: this.#usedBytes });
  }
}
