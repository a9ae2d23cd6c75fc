import type { Frame } from '#gateway/journal/frame.ts';
import {
  JournalFullError,
  type JournalRecord,
  type OnProblem,
  type SettledRecord,
} from '#gateway/journal/record.ts';
import { type Segment, Segments } from '#gateway/journal/segments.ts';
import { type BatchLimit, SettledQueue, type Unshipped } from '#gateway/journal/settled-queue.ts';
import { Staging } from '#gateway/journal/staging.ts';

const mebibyte = 1024 * 1024;

// A turn that appends more is written in parts.
const maxBatchBytes = mebibyte / 4;

const probeIntervalMs = 1000;

// What remains is kept for the settlements of what was admitted before.
const admissionShare = 0.9;

// In place of a segment while an admitted record waits for the write that decides which one holds it.
const notYetWritten = 0;

export interface JournalOptions {
  /** Created when missing. What an earlier run left in it counts against `maxBytes` and is for `replayJournal`. */
  dir: string;
  /** Size of one file; 8 MiB. A single larger record makes a larger file. */
  segmentBytes?: number;
  /** Size of the folder; 1 GiB. From nine tenths on, only settlements of admitted requests are taken. */
  maxBytes?: number;
  /** Size of the settled records kept in memory until shipped; 16 MiB. The others are read again from disk. */
  maxHeldBytes?: number;
  /** One fdatasync per batch: records also survive a power loss, and the event loop waits for the disk. */
  syncEveryBatch?: boolean;
  onProblem: OnProblem;
}

export function openJournal<Admitted extends object, Settled extends object>(
  options: JournalOptions,
): Journal<Admitted, Settled> {
  return new Journal(options);
}

/** One process's crash-safe record of what it admitted and settled. What it guarantees: README.md. */
export class Journal<Admitted extends object, Settled extends object> {
  readonly dir: string;
  readonly #onProblem: OnProblem;
  readonly #admissionBytes: number;
  readonly #segments: Segments;
  readonly #queue: SettledQueue<Settled>;
  readonly #open = new Map<string, number>();
  readonly #staging: Staging<Admitted, Settled>;
  #batch: PromiseWithResolvers<void> | undefined;
  #isHealthy = true;
  #isClosed = false;
  #onSettled = () => {};

  constructor({ dir, onProblem, ...limits }: JournalOptions) {
    const segmentBytes = limits.segmentBytes ?? 8 * mebibyte;
    const maxHeldBytes = limits.maxHeldBytes ?? 16 * mebibyte;
    this.dir = dir;
    this.#onProblem = onProblem;
    this.#admissionBytes = (limits.maxBytes ?? 1024 * mebibyte) * admissionShare;
    this.#segments = new Segments({ dir, segmentBytes, isSynced: limits.syncEveryBatch ?? false, onProblem });
    this.#queue = new SettledQueue({ segments: this.#segments, maxHeldBytes, onProblem });
    this.#staging = new Staging(Math.min(segmentBytes, maxBatchBytes));
  }

  /** False from a failed write until the next one that works. */
  get isHealthy(): boolean {
    return this.#isHealthy;
  }

  get isFull(): boolean {
    return this.#segments.bytesOnDisk >= this.#admissionBytes;
  }

  get bytesOnDisk(): number {
    return this.#segments.bytesOnDisk;
  }

  get heldBytes(): number {
    return this.#queue.heldBytes;
  }

  get unshippedRows(): number {
    return this.#queue.rows;
  }

  get oldestUnshippedMs(): number {
    const oldestAtMs = this.#queue.oldestAtMs;
    return oldestAtMs === undefined ? 0 : Math.max(0, Date.now() - oldestAtMs);
  }

  /**
   * Resolves once the record is written, together with all others of this turn of the event loop. Rejects with
   * JournalFullError (never for the settlement of an admitted request) or with the error of the write. A settled record
   * that could not be written is shipped nonetheless, as long as the process lives.
   */
  append(record: JournalRecord<Admitted, Settled>): Promise<void> {
    try {
      return this.#stage(record);
    } catch (error) {
      return Promise.reject(error);
    }
  }

  /** Writes at once what this turn has appended so far. */
  flush(): void {
    const batch = this.#batch;
    if (!batch) return;
    this.#batch = undefined;
    const { bytes, frames } = this.#staging.empty();
    try {
      const segment = this.#segments.write(bytes);
      this.#keepWritten(frames, segment, segment.bytes - bytes.length);
      batch.resolve();
    } catch (error) {
      this.#keepUnwritten(frames, error);
      batch.reject(error);
    }
    if (frames.some(({ record }) => record.kind === 'settled')) this.#onSettled();
  }

  /** The oldest settled records that are not shipped, the same ones until `markShipped`. One consumer at a time. */
  takeSettled(limit: BatchLimit): Promise<SettledRecord<Settled>[]> {
    return this.#queue.take(limit).then((batch) => batch.map(({ record }) => record));
  }

  /** The records last taken are in the database: what waits for them on disk may go. */
  async markShipped(): Promise<void> {
    for (const { record, settledIn } of this.#queue.dropTaken()) {
      this.#segments.resolve(settledIn);
      this.#segments.resolve(record.admittedIn);
    }
    await this.#segments.removeResolved();
  }

  /** Calls `listener` after each write that adds settled records; there is one listener. */
  watchSettled(listener: () => void): void {
    this.#onSettled = listener;
  }

  /** Ends writing. What was not shipped stays in the folder for `replayJournal`. */
  async close(): Promise<void> {
    this.flush();
    this.#isClosed = true;
    this.#segments.seal();
    await this.#segments.removeResolved();
  }

  #stage(record: JournalRecord<Admitted, Settled>): Promise<void> {
    if (this.#isClosed) throw new Error('the journal is closed');
    if (this.#open.get(record.id) === notYetWritten) this.flush();
    const admittedIn = record.kind === 'settled' ? this.#open.get(record.id) : undefined;
    if (this.isFull && admittedIn === undefined) throw new JournalFullError('the journal is full');
    const stored = record.kind === 'settled' ? { ...record, atMs: Date.now(), admittedIn } : record;
    if (!this.#staging.add(stored)) {
      this.flush();
      this.#staging.add(stored);
    }
    if (record.kind === 'admitted') this.#open.set(record.id, notYetWritten);
    else this.#open.delete(record.id);
    this.#batch ??= this.#startBatch();
    return this.#batch.promise;
  }

  #startBatch(): PromiseWithResolvers<void> {
    setImmediate(() => this.flush());
    return Promise.withResolvers();
  }

  #keepWritten(frames: Frame<Admitted, Settled>[], segment: Segment, offset: number): void {
    const settled: Unshipped<Settled>[] = [];
    for (const { record, bytes } of frames) {
      if (record.kind === 'admitted') this.#open.set(record.id, segment.sequence);
      else settled.push({ record, bytes, settledIn: segment.sequence });
    }
    segment.unresolved += frames.length;
    this.#queue.pushWritten(settled, segment, offset);
    this.#recordRecovery();
  }

  #keepUnwritten(frames: Frame<Admitted, Settled>[], error: unknown): void {
    const settled: Unshipped<Settled>[] = [];
    for (const { record, bytes } of frames) {
      if (record.kind === 'admitted') this.#open.delete(record.id);
      else settled.push({ record, bytes });
    }
    this.#queue.hold(settled);
    if (!this.#isHealthy) return;
    this.#isHealthy = false;
    this.#onProblem({ kind: 'write-failed', path: this.dir, error });
    this.#probeLater();
  }

  #recordRecovery(): void {
    if (this.#isHealthy) return;
    this.#isHealthy = true;
    this.#onProblem({ kind: 'write-recovered', path: this.dir });
  }

  /** Health must come back without traffic, for an unhealthy node may get none. */
  #probeLater(): void {
    const probe = () => {
      if (this.#isHealthy || this.#isClosed) return;
      try {
        this.#segments.write(Buffer.alloc(0));
        this.#recordRecovery();
      } catch {
        this.#probeLater();
      }
    };
    setTimeout(probe, probeIntervalMs).unref();
  }
}
