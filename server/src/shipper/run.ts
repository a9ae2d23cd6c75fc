import { rmSync } from 'node:fs';
import { createNodeIds } from '#gateway/allowance/node.ts';
import type { JournalRecord, OnProblem } from '#gateway/journal/frame.ts';
import { lockOfRun } from '#gateway/journal/journal.ts';
import { acquireFileLock, type FileLock, FileLockHeldError } from '#platform/file-lock.ts';
import { PositionLostError } from './journal-position.ts';
import { JournalReader, type SettledRecord } from './journal-reader.ts';
import type { ReadLimit } from './read-frames.ts';
import type { Backlog } from './shipper-metrics.ts';

/** Each operation must be idempotent, because the shipper may repeat it. */
export interface Destination {
  /** Maximum size of a batch; 500 settled records or 4 MiB by default. */
  readonly batchLimit?: ReadLimit | undefined;
  /**
   * Writes settled records. Rejects if the database is unavailable, and with PositionLostError if the database has
   * lost earlier records of the run.
   */
  shipSettled: (records: readonly SettledRecord[]) => Promise<void>;
  /** Writes admissions whose worker died before they were settled. */
  shipInterrupted: (records: readonly JournalRecord[]) => Promise<void>;
  /** Returns the subset of ids whose requests already have a row. */
  findShipped: (ids: readonly string[]) => Promise<readonly string[]>;
  /** Releases amounts still held by these nodes. Called after all of their records are shipped. */
  releaseNodes: (nodeIds: readonly string[]) => Promise<void>;
  /** Removes the run's position. Called after the run is completely shipped. */
  removePosition: () => Promise<void>;
}

/** Journal of one worker process, from its start to its exit. */
export class Run {
  readonly dir: string;
  #reader: JournalReader;
  readonly #destination: Destination;
  readonly #onProblem: OnProblem;
  #lock: FileLock | undefined;
  #isQuiet = true;
  #isReconciled = false;
  #caughtUpMs = performance.now();

  constructor(dir: string, destination: Destination, onProblem: OnProblem) {
    this.dir = dir;
    this.#destination = destination;
    this.#onProblem = onProblem;
    this.#reader = new JournalReader(dir, onProblem, destination.batchLimit);
  }

  readBacklog(): Backlog {
    const bytes = this.#reader.measureUnread();
    return { bytes, ageMs: bytes === 0 ? 0 : performance.now() - this.#caughtUpMs };
  }

  /** Returns `true` once the worker has exited and all of its records are shipped. */
  async ship(): Promise<boolean> {
    if (this.#isQuiet && !this.#lock) this.#lock = this.#lockUnlessHeld();
    const isEnded = this.#lock !== undefined;
    await this.#shipSettled(isEnded);
    if (!this.#isReconciled) await this.#reconcile();
    if (!isEnded) return false;
    await this.#finish();
    return true;
  }

  /** Returns `undefined` while the run's worker is alive. Nothing else writes to the run once the lock is acquired. */
  #lockUnlessHeld(): FileLock | undefined {
    try {
      return acquireFileLock(lockOfRun(this.dir), `The journal ${this.dir}`);
    } catch (error) {
      if (error instanceof FileLockHeldError) return undefined;
      throw error;
    }
  }

  /** Stops at the end of a journal that is still growing and leaves new records to the next pass. */
  async #shipSettled(isEnded: boolean): Promise<void> {
    const startedMs = performance.now();
    let isBehind = false;
    this.#isQuiet = true;
    for (let batch = this.#reader.read(isEnded); batch; batch = this.#reader.read(isEnded)) {
      this.#isQuiet = false;
      if (batch.settled.length > 0) await this.#shipBatch(batch.settled);
      batch.commit();
      isBehind = batch.hasMore;
      if (!isEnded && !batch.hasMore) break;
    }
    if (!isBehind) this.#caughtUpMs = startedMs;
    this.#reader.removeResolved();
  }

  async #shipBatch(settled: readonly SettledRecord[]): Promise<void> {
    try {
      await this.#destination.shipSettled(settled);
    } catch (error) {
      if (error instanceof PositionLostError) this.#readAgain();
      throw error;
    }
  }

  #readAgain(): void {
    this.#reader = new JournalReader(this.dir, this.#onProblem, this.#destination.batchLimit);
    this.#isReconciled = false;
  }

  /** Resolves admissions on disk whose settlements were deleted by an earlier shipper. Runs once per reader. */
  async #reconcile(): Promise<void> {
    const { openIds } = this.#reader;
    if (openIds.length > 0) this.#reader.resolve(await this.#destination.findShipped(openIds));
    this.#isReconciled = true;
  }

  async #finish(): Promise<void> {
    for (const open of this.#reader.readOpen()) await this.#destination.shipInterrupted(open);
    await this.#destination.releaseNodes(createNodeIds(this.dir).read());
    this.#reader.resolve(this.#reader.openIds);
    this.#reader.removeResolved();
    rmSync(this.dir, { recursive: true });
    try {
      // Remove the position last: if a journal without a position is read again, its requests would be booked again.
      await this.#destination.removePosition();
    } finally {
      this.#lock?.release();
      rmSync(lockOfRun(this.dir), { force: true });
    }
  }
}
