import type { Journal } from '#gateway/journal/journal.ts';
import type { OnProblem, SettledRecord } from '#gateway/journal/record.ts';

const maxIntervalMs = 1000;
const maxBatchBytes = 4 * 1024 * 1024;
const firstRetryMs = 50;
const lastRetryMs = 5000;

/**
 * Writes a batch to the database, idempotent by id. A rejection means "not now" and brings the same batch again, so a
 * row that the database will never take must be set aside within. It must settle by itself (a statement timeout).
 */
export type Ship<Settled extends object> = (batch: SettledRecord<Settled>[]) => Promise<void>;

type ShippedJournal<Settled extends object> = Pick<
  Journal<never, Settled>,
  'dir' | 'flush' | 'unshippedRows' | 'takeSettled' | 'markShipped' | 'watchSettled'
>;

export interface ShippingOptions<Settled extends object> {
  journal: ShippedJournal<Settled>;
  ship: Ship<Settled>;
  /** The longest a record waits for its batch to fill; 500, at most 1,000. */
  intervalMs?: number;
  batchRows?: number;
  onProblem: OnProblem;
}

export function startShipping<Settled extends object>(options: ShippingOptions<Settled>): Shipping<Settled> {
  return new Shipping(options);
}

/** Takes settled records to the database in order, one batch in flight, trying again for as long as it takes. */
export class Shipping<Settled extends object> {
  readonly #options: Required<ShippingOptions<Settled>>;
  readonly #loop: Promise<void>;
  #isStopped = false;
  #isRetrying = false;
  #drain: PromiseWithResolvers<void> | undefined;
  #wake = () => {};

  constructor({ intervalMs = 500, batchRows = 500, ...options }: ShippingOptions<Settled>) {
    this.#options = { ...options, batchRows, intervalMs: Math.min(intervalMs, maxIntervalMs) };
    options.journal.watchSettled(() => {
      if (this.#isBatchFull() && !this.#isRetrying) this.#wake();
    });
    this.#loop = this.#run();
  }

  /** Ships all that is left. False when `deadlineMs` were not enough; the rest is then for `replayJournal`. */
  async flush(deadlineMs: number): Promise<boolean> {
    this.#options.journal.flush();
    this.#drain ??= Promise.withResolvers();
    this.#wake();
    const deadline = Promise.withResolvers<boolean>();
    const timer = setTimeout(deadline.resolve, deadlineMs, false);
    const isDrained = await Promise.race([this.#drain.promise.then(() => true), deadline.promise]);
    clearTimeout(timer);
    return isDrained;
  }

  /** Ends shipping; resolves once the batch in flight has settled. */
  stop(): Promise<void> {
    this.#isStopped = true;
    this.#wake();
    return this.#loop;
  }

  async #run(): Promise<void> {
    const { journal, intervalMs } = this.#options;
    while (!this.#isStopped) {
      if (journal.unshippedRows === 0) this.#endDrain();
      if (!this.#drain && !this.#isBatchFull()) await this.#pause(intervalMs);
      for (let due = journal.unshippedRows; due > 0 && journal.unshippedRows > 0 && !this.#isStopped; ) {
        due -= await this.#shipBatch();
      }
    }
  }

  async #shipBatch(): Promise<number> {
    const { journal, ship, batchRows, onProblem } = this.#options;
    for (let retryMs = firstRetryMs; !this.#isStopped; retryMs = Math.min(2 * retryMs, lastRetryMs)) {
      try {
        const batch = await journal.takeSettled({ rows: batchRows, bytes: maxBatchBytes });
        if (batch.length > 0) await ship(batch);
        await journal.markShipped();
        return batch.length;
      } catch (error) {
        onProblem({ kind: 'ship-failed', path: journal.dir, error });
        if (!this.#isStopped) await this.#pauseBeforeRetry(retryMs);
      }
    }
    return 0;
  }

  /** Shortened at random, so that the nodes do not return to a recovering database all at once. */
  async #pauseBeforeRetry(retryMs: number): Promise<void> {
    this.#isRetrying = true;
    await this.#pause(retryMs * (1 - Math.random() / 2));
    this.#isRetrying = false;
  }

  #pause(ms: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, ms);
    this.#wake = () => {
      clearTimeout(timer);
      resolve();
    };
    return promise;
  }

  #endDrain(): void {
    this.#drain?.resolve();
    this.#drain = undefined;
  }

  #isBatchFull(): boolean {
    return this.#options.journal.unshippedRows >= this.#options.batchRows;
  }
}
