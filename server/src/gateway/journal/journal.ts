import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { acquireFileLock, type FileLock } from '#platform/file-lock.ts';
import {
  type Frame,
  JournalFullError,
  type JournalRecord,
  type OnProblem,
  toFrame,
  writeFrame,
} from './frame.ts';
import { Segments } from './segment-files.ts';

interface Staged {
  readonly kind: JournalRecord['kind'];
  readonly id: string;
  readonly start: number;
  readonly end: number;
}

interface Batch {
  /** Valid until the next record is staged. */
  readonly bytes: Buffer;
  readonly staged: readonly Staged[];
}

class Staging {
  #buffer: Buffer;
  #usedBytes = 0;
  #staged: Staged[] = [];

  constructor(bytes: number) {
    this.#buffer = Buffer.allocUnsafe(bytes);
  }

  /**
   * Adds a record. If the record does not fit, calls `makeRoom`, which must call `empty`. A record larger than the
   * buffer grows the buffer.
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
    const record = { kind, id, start, end: this.#usedBytes };
    // A batch is often one record, and `push` to an empty array reserves room for 17.
    if (this.#staged.length === 0) this.#staged = [record];
    else this.#staged.push(record);
  }
}

const mebibyte = 1024 * 1024;

const maxBatchBytes = mebibyte / 4;

const probeIntervalMs = 1000;
const measureIntervalMs = 200;

// Share of the journal available to admissions. The rest is reserved for settlements of admitted requests.
const admissionShare = 0.9;

export interface JournalOptions {
  /**
   * Folder of this run, which the constructor creates inside the slot's folder. Runs are shipped in the order of
   * their names.
   */
  dir: string;
  /** Maximum file size; 8 MiB by default. A file with a single larger record may exceed the maximum. */
  segmentBytes?: number;
  /** Time after which a new file is started; 10 seconds by default. */
  segmentMs?: number;
  /**
   * Maximum size of all runs of the slot; 1 GiB by default. Beyond nine tenths, only settlements of admitted requests
   * are accepted.
   */
  maxBytes?: number;
  /** Maximum size of settlements kept in memory while nothing can be written; 16 MiB by default. */
  maxUnwrittenBytes?: number;
  /**
   * Whether to call fdatasync once per batch. Records then also survive a power loss, but the event loop waits for
   * the disk.
   */
  syncEveryBatch?: boolean;
  onProblem: OnProblem;
}

/** Crash-safe record of admitted and settled requests. See README.md for the guarantees. */
export class Journal {
  readonly dir: string;
  readonly #onProblem: OnProblem;
  readonly #admissionBytes: number;
  readonly #maxUnwrittenBytes: number;
  readonly #lock: FileLock;
  readonly #segments: Segments;
  readonly #staging: Staging;
  readonly #open = new Set<string>();
  #unwritten: Buffer[] = [];
  #unwrittenBytes = 0;
  #batch: PromiseWithResolvers<void> | undefined;
  #measuredAtMs = 0;
  #isHealthy = true;
  #isClosed = false;

  constructor({ dir, onProblem, ...limits }: JournalOptions) {
    const segmentBytes = limits.segmentBytes ?? 8 * mebibyte;
    this.dir = dir;
    this.#onProblem = onProblem;
    this.#admissionBytes = (limits.maxBytes ?? 1024 * mebibyte) * admissionShare;
    this.#maxUnwrittenBytes = limits.maxUnwrittenBytes ?? 16 * mebibyte;
    mkdirSync(dirname(dir), { recursive: true, mode: 0o700 });
    // The lock is acquired before the folder is created, since a run without a lock counts as ended.
    this.#lock = acquireFileLock(lockOfRun(dir), `The journal ${dir}`);
    const segmentMs = limits.segmentMs ?? 10_000;
    this.#segments = new Segments({ dir, segmentBytes, segmentMs, isSynced: limits.syncEveryBatch ?? false });
    this.#staging = new Staging(Math.min(segmentBytes, maxBatchBytes));
  }

  get isHealthy(): boolean {
    return this.#isHealthy;
  }

  get isFull(): boolean {
    if (this.#segments.bytesOnDisk < this.#admissionBytes) return false;
    if (performance.now() - this.#measuredAtMs < measureIntervalMs) return true;
    this.#segments.measure();
    this.#measuredAtMs = performance.now();
    return this.#segments.bytesOnDisk >= this.#admissionBytes;
  }

  get bytesOnDisk(): number {
    return this.#segments.bytesOnDisk;
  }

  /** Whether the admission is written or about to be written, and the request is not settled. */
  isAdmitted(id: string): boolean {
    return this.#open.has(id);
  }

  /**
   * Resolves once the record is written. Rejects with JournalFullError (never for the settlement of an admitted
   * request) or the write error. A settlement that could not be written is kept in memory until the disk recovers.
   */
  append(record: JournalRecord): Promise<void> {
    try {
      return this.#stage(record);
    } catch (error) {
      return Promise.reject(error);
    }
  }

  flush(): void {
    const pending = this.#batch;
    if (!pending) return;
    this.#batch = undefined;
    const batch = this.#staging.empty();
    try {
      this.#segments.write(batch.bytes);
      pending.resolve();
    } catch (error) {
      this.#keepUnwritten(batch, error);
      pending.reject(error);
      return;
    }
    this.#recover();
  }

  readonly #flushNow = (): void => this.flush();

  /** Stops writing and releases the run to the shipper. */
  close(): void {
    if (this.#isClosed) return;
    this.flush();
    this.#recover();
    this.#isClosed = true;
    if (this.#unwritten.length > 0) this.#onProblem({ kind: 'settlements-lost', path: this.dir });
    this.#segments.seal();
    this.#lock.release();
  }

  #stage(record: JournalRecord): Promise<void> {
    if (this.#isClosed) throw new Error('the journal is closed');
    const isOfAdmitted = record.kind === 'settled' && this.#open.has(record.id);
    if (!isOfAdmitted && this.isFull) throw new JournalFullError('the journal is full');
    this.#staging.add(record, this.#flushNow);
    if (record.kind === 'admitted') this.#open.add(record.id);
    else this.#open.delete(record.id);
    this.#batch ??= this.#startBatch();
    return this.#batch.promise;
  }

  #startBatch(): PromiseWithResolvers<void> {
    setImmediate(this.#flushNow);
    return Promise.withResolvers();
  }

  #keepUnwritten({ bytes, staged }: Batch, error: unknown): void {
    for (const { kind, id, start, end } of staged) {
      if (kind === 'admitted') this.#open.delete(id);
      else this.#keep(Buffer.from(bytes.subarray(start, end)));
    }
    if (!this.#isHealthy) return;
    this.#isHealthy = false;
    this.#onProblem({ kind: 'write-failed', path: this.dir, error });
    this.#probeLater();
  }

  /** Settlements beyond the limit are dropped. Their requests are shipped as interrupted after this process exits. */
  #keep(frame: Buffer): void {
    if (this.#unwrittenBytes + frame.length > this.#maxUnwrittenBytes) {
      this.#onProblem({ kind: 'settlements-lost', path: this.dir });
      return;
    }
    this.#unwritten.push(frame);
    this.#unwrittenBytes += frame.length;
  }

  #recover(): void {
    if (this.#isHealthy) return;
    try {
      this.#segments.write(Buffer.concat(this.#unwritten));
    } catch {
      return;
    }
    this.#unwritten = [];
    this.#unwrittenBytes = 0;
    this.#isHealthy = true;
    this.#onProblem({ kind: 'write-recovered', path: this.dir });
  }

  /** Restores health without requests, since an unhealthy node may receive no traffic. */
  #probeLater(): void {
    const probe = () => {
      if (this.#isHealthy || this.#isClosed) return;
      this.#recover();
      if (!this.#isHealthy) this.#probeLater();
    };
    setTimeout(probe, probeIntervalMs).unref();
  }
}

/**
 * Returns the path of the lock file that a run's process holds while it is running. The lock file is next to the
 * run's folder and created before it.
 */
export function lockOfRun(dir: string): string {
  return `${dir}.lock`;
}
