import type { StoredSettled } from '#gateway/journal/frame.ts';
import type { OnProblem } from '#gateway/journal/record.ts';
import { readWindow, segmentHeaderBytes } from '#gateway/journal/segment-file.ts';
import type { Segment, Segments } from '#gateway/journal/segments.ts';

/** A settled record on its way to the database, and the segment it was written to, if it could be written. */
export interface Unshipped<Settled extends object> {
  record: StoredSettled<Settled>;
  bytes: number;
  settledIn?: number;
}

export interface BatchLimit {
  rows: number;
  bytes: number;
}

interface Spill {
  sequence: number;
  offset: number;
  rows: number;
  atMs: number;
}

interface SettledQueueOptions {
  segments: Segments;
  maxHeldBytes: number;
  onProblem: OnProblem;
}

/**
 * Settled records in the order they were written. The oldest are held in memory; once these are too many, all younger
 * ones are only counted, and read again from the segments when their turn comes.
 */
export class SettledQueue<Settled extends object> {
  readonly #options: SettledQueueOptions;
  #taken: Unshipped<Settled>[] = [];
  #held: Unshipped<Settled>[] = [];
  #heldBytes = 0;
  #spill: Spill | undefined;

  constructor(options: SettledQueueOptions) {
    this.#options = options;
  }

  get rows(): number {
    return this.#taken.length + this.#held.length + (this.#spill?.rows ?? 0);
  }

  get heldBytes(): number {
    return this.#heldBytes;
  }

  get oldestAtMs(): number | undefined {
    return (this.#taken[0] ?? this.#held[0])?.record.atMs ?? this.#spill?.atMs;
  }

  /** Adds the settled records of a batch that was written to `segment` from `offset` on. */
  pushWritten(entries: Unshipped<Settled>[], segment: Segment, offset: number): void {
    const [oldest] = entries;
    if (!oldest) return;
    const isTooMuch = this.#heldBytes + totalBytes(entries) > this.#options.maxHeldBytes;
    if (isTooMuch && !this.#spill) {
      this.#spill = { sequence: segment.sequence, offset, rows: 0, atMs: oldest.record.atMs };
    }
    if (this.#spill) this.#spill.rows += entries.length;
    else this.hold(entries);
  }

  /** Adds records to those in memory, where alone they are when they could not be written. */
  hold(entries: Unshipped<Settled>[]): void {
    this.#held.push(...entries);
    this.#heldBytes += totalBytes(entries);
  }

  /** The oldest records within `limit` (but at least one), the same ones until `dropTaken`. */
  async take(limit: BatchLimit): Promise<Unshipped<Settled>[]> {
    if (this.#taken.length > 0) return this.#taken;
    if (this.#held.length > 0) this.#taken = this.#takeHeld(limit);
    else if (this.#spill) await this.#readSpilled(this.#spill, limit);
    return this.#taken;
  }

  dropTaken(): Unshipped<Settled>[] {
    return this.#taken.splice(0);
  }

  #takeHeld({ rows, bytes }: BatchLimit): Unshipped<Settled>[] {
    let count = 0;
    for (let left = bytes; count < Math.min(rows, this.#held.length) && left > 0; count++) {
      left -= this.#held[count]?.bytes ?? 0;
    }
    const batch = this.#held.splice(0, count);
    this.#heldBytes -= totalBytes(batch);
    return batch;
  }

  /** Once it finds nothing more to read, what is written next may be held again. */
  async #readSpilled(spill: Spill, { rows, bytes }: BatchLimit): Promise<void> {
    let segment = this.#moveToUnread(spill);
    while (segment && this.#taken.length < rows && totalBytes(this.#taken) < bytes) {
      try {
        await this.#readFrom(segment, spill, rows);
      } catch (error) {
        // What is taken by now is a batch; the next one meets the failure again, if it lasts.
        if (this.#taken.length > 0) return;
        throw error;
      }
      segment = this.#moveToUnread(spill);
    }
    if (!segment) this.#spill = undefined;
  }

  #moveToUnread(spill: Spill): Segment | undefined {
    const { segments } = this.#options;
    const current = segments.atOrAfter(spill.sequence);
    if (current?.sequence === spill.sequence && spill.offset < current.bytes) return current;
    const next = segments.atOrAfter(spill.sequence + 1);
    if (next) {
      spill.sequence = next.sequence;
      spill.offset = segmentHeaderBytes;
    }
    return next;
  }

  async #readFrom(segment: Segment, spill: Spill, maxRows: number): Promise<void> {
    const { frames, ending } = await readWindow<object, Settled>(segment, spill.offset);
    for (const { record, bytes } of frames) {
      if (this.#taken.length === maxRows) return;
      spill.offset += bytes;
      if (record.kind !== 'settled') continue;
      this.#taken.push({ record, bytes, settledIn: segment.sequence });
      spill.rows--;
      spill.atMs = record.atMs;
    }
    if (ending === 'torn' || ending === 'damaged') {
      spill.offset = segment.bytes;
      this.#options.onProblem({ kind: `segment-${ending}`, path: segment.path });
    }
  }
}

function totalBytes(entries: { bytes: number }[]): number {
  return entries.reduce((sum, { bytes }) => sum + bytes, 0);
}
