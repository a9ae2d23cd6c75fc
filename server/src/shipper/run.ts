import { rmSync } from 'node:fs';
import { createNodeIds } from '#gateway/allowance/node-ids.ts';
import { lockOfRun } from '#gateway/journal/journal.ts';
import type { JournalRecord, OnProblem } from '#gateway/journal/record.ts';
import { acquireFileLock, type FileLock, FileLockHeldError } from '#platform/file-lock.ts';
import { JournalReader } from './journal-reader.ts';
import type { Backlog } from './shipper-metrics.ts';

/** The database's side of shipping. All of it may come again: what was done before must change nothing. */
export interface Destination {
  /** Rejects when the database is away. */
  shipSettled: (records: readonly JournalRecord[]) => Promise<void>;
  /** Gets admissions whose worker died before they were settled. */
  shipInterrupted: (records: readonly JournalRecord[]) => Promise<void>;
  /** Which of these requests have their row. */
  findShipped: (ids: readonly string[]) => Promise<readonly string[]>;
  /** Gives back what these nodes held of limits, once all of theirs is shipped. */
  releaseNodes: (nodeIds: readonly string[]) => Promise<void>;
}

/** One worker's life, as its journal tells of it. */
export class Run {
  readonly dir: string;
  readonly #reader: JournalReader;
  readonly #destination: Destination;
  #lock: FileLock | undefined;
  #isQuiet = true;
  #isReconciled = false;
  /** When all that the journal held was in the database. */
  #caughtUpMs = performance.now();

  constructor(dir: string, destination: Destination, onProblem: OnProblem) {
    this.dir = dir;
    this.#destination = destination;
    this.#reader = new JournalReader(dir, onProblem);
  }

  readBacklog(): Backlog {
    const bytes = this.#reader.measureUnread();
    return { bytes, ageMs: bytes === 0 ? 0 : performance.now() - this.#caughtUpMs };
  }

  /** Ships what has come since the last time, and all that is left once the worker is dead. True when the run is over. */
  async ship(): Promise<boolean> {
    if (this.#isQuiet && !this.#lock) this.#lock = this.#lockUnlessHeld();
    const isEnded = this.#lock !== undefined;
    await this.#shipSettled(isEnded);
    if (!this.#isReconciled) await this.#reconcile();
    if (!isEnded) return false;
    await this.#finish();
    return true;
  }

  /** To a worker that lives its lock says so; once it is ours, nobody writes here any more. */
  #lockUnlessHeld(): FileLock | undefined {
    try {
      return acquireFileLock(lockOfRun(this.dir), `The journal ${this.dir}`);
    } catch (error) {
      if (error instanceof FileLockHeldError) return undefined;
      throw error;
    }
  }

  /** Of a journal that grows while it is read, only what fills a batch; the rest waits for the next time. */
  async #shipSettled(isEnded: boolean): Promise<void> {
    const startedMs = performance.now();
    let isBehind = false;
    this.#isQuiet = true;
    for (let batch = this.#reader.read(isEnded); batch; batch = this.#reader.read(isEnded)) {
      this.#isQuiet = false;
      if (batch.settled.length > 0) await this.#destination.shipSettled(batch.settled);
      batch.commit();
      isBehind = batch.hasMore;
      if (!isEnded && !batch.hasMore) break;
    }
    if (!isBehind) this.#caughtUpMs = startedMs;
    this.#reader.removeResolved();
  }

  /** Once: a shipper before this one may have deleted the settlements of admissions that are still on disk. */
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
    this.#lock?.release();
    rmSync(lockOfRun(this.dir), { force: true });
  }
}
