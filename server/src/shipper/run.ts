import { rmSync } from 'node:fs';
import { createNodeIds } from '#gateway/allowance/node.ts';
import type { JournalRecord, OnProblem } from '#gateway/journal/frame.ts';
import { lockOfRun } from '#gateway/journal/journal.ts';
import { acquireFileLock, type FileLock, FileLockHeldError } from '#platform/file-lock.ts';
import { PositionLostError } from './journal-position.ts';
import { JournalReader, type SettledRecord } from './journal-reader.ts';
import type { ReadLimit } from './read-frames.ts';
import type { Backlog } from './shipper-metrics.ts';

/** Database operations for shipping. All must be idempotent, since any of them may be repeated. */
export interface Destination {
  /** Maximum size of a batch; 500 settled records or 4 MiB by default. */
  readonly batchLimit?: ReadLimit | undefined;
  /** Rejects if the database is unavailable, and with PositionLostError if it has lost earlier records of the run. */
  shipSettled: (records: readonly SettledRecord[]) => Promise<void>;
  /** Ships admissions whose worker died before they were settled. */
  shipInterrupted: (records: readonly JournalRecord[]) => Promise<void>;
  /** Returns which of these requests already have a row. */
  findShipped: (ids: readonly string[]) => Promise<readonly string[]>;
  /** Releases the amounts that these nodes still hold, once all of their records are shipped. */
  releaseNodes: (nodeIds: readonly string[]) => Promise<void>;
  /** Removes the position of the run, once the run is completely shipped. */
  removePosition: () => Promise<void>;
}

/** Lifetime of one worker, as recorded in its journal. */
export class Run {
  readonly dir: string;
  #reader: JournalReader;
  readonly #destination: Destination;
  readonly #onProblem: OnProblem;
  #lock: FileLock | undefined;
  #isQuiet = true;
  #isReconciled = false;
  /** When the database last contained the complete journal. */
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

  /** Ships new records and, once the worker has exited, all remaining ones. Returns `true` when the run is complete. */
  async ship(): Promise<boolean> {
    if (this.#isQuiet && !this.#lock) this.#lock = this.#lockUnlessHeld();
    const isEnded = this.#lock !== undefined;
    await this.#shipSettled(isEnded);
    if (!this.#isReconciled) await this.#reconcile();
    if (!isEnded) return false;
    await this.#finish();
    return true;
  }

  /**
   * Returns `undefined` while the worker is alive and holds the lock. Once the lock is acquired, nothing else writes
   * to the run.
   */
  #lockUnlessHeld(): FileLock | undefined {
    try {
      return acquireFileLock(lockOfRun(this.dir), `The journal ${this.dir}`);
    } catch (error) {
      if (error instanceof FileLockHeldError) return undefined;
      throw error;
    }
  }

  /** Stops at the end of a journal that is still growing; new records wait for the next pass. */
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

  /** Makes the next pass start with the first record on disk. */
  #readAgain(): void {
    this.#reader = new JournalReader(this.dir, this.#onProblem, this.#destination.batchLimit);
    this.#isReconciled = false;
  }

  /** Runs once: an earlier shipper may have deleted the settlements of admissions that are still on disk. */
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
    // Deleted last: without its position, a journal that is read again would be booked again.
    await this.#destination.removePosition();
    this.#lock?.release();
    rmSync(lockOfRun(this.dir), { force: true });
  }
}
