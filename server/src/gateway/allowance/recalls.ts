/**
 * `patienceMs` is the time that other nodes have to return unused amounts, and `intervalMs` the minimum time between
 * two recalls of an allowance.
 */
export interface RecallTimes {
  readonly patienceMs: number;
  readonly intervalMs: number;
}

export const recallTimes: RecallTimes = { patienceMs: 100, intervalMs: 100 };

/**
 * Messages to all nodes about an allowance: `recall` requests unused amounts, `returned` replies with the amount that
 * the sender's requests in flight still hold, and `freed` reports that the sender has returned more since.
 */
export const recallMessage = (allowanceId: string, nodeId: string) => `recall:${allowanceId}:${nodeId}`;
export const returnedMessage = (allowanceId: string, nodeId: string, held: number) =>
  `returned:${allowanceId}:${nodeId}:${held}`;
export const freedMessage = (allowanceId: string, nodeId: string) => `freed:${allowanceId}:${nodeId}`;

interface Recall {
  readonly done: Promise<number>;
  held: number;
  awaited: number;
  finish(): void;
}

/** Requests that lack the same allowance share one recall. */
export class Recalls {
  readonly #announce: (message: string) => Promise<void>;
  readonly #times: RecallTimes;
  readonly #running = new Map<string, Recall>();
  readonly #resting = new Map<string, Promise<void>>();

  constructor(announce: (message: string) => Promise<void>, times: RecallTimes) {
    this.#announce = announce;
    this.#times = times;
  }

  /**
   * Resolves with the amount that other nodes' requests in flight still hold, once `holders` nodes have replied or
   * `patienceMs` has passed.
   */
  async recall(allowanceId: string, nodeId: string, holders: number): Promise<number> {
    await this.#resting.get(allowanceId);
    const { done } = this.#running.get(allowanceId) ?? this.#ask(allowanceId, nodeId, holders);
    return done;
  }

  onReturned(allowanceId: string, held: number): void {
    const recall = this.#running.get(allowanceId);
    if (!recall) return;
    recall.held += held;
    if (--recall.awaited <= 0) recall.finish();
  }

  #ask(allowanceId: string, nodeId: string, awaited: number): Recall {
    const { promise: done, resolve } = Promise.withResolvers<number>();
    const finish = () => {
      clearTimeout(timer);
      this.#running.delete(allowanceId);
      this.#rest(allowanceId);
      resolve(recall.held);
    };
    const timer = setTimeout(finish, this.#times.patienceMs);
    const recall = { done, held: 0, awaited, finish };
    this.#running.set(allowanceId, recall);
    // If the notification fails, no node replies and the recall times out.
    this.#announce(recallMessage(allowanceId, nodeId)).catch(() => undefined);
    return recall;
  }

  #rest(allowanceId: string): void {
    if (this.#times.intervalMs === 0) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#resting.set(allowanceId, promise);
    setTimeout(() => {
      this.#resting.delete(allowanceId);
      resolve();
    }, this.#times.intervalMs);
  }
}
