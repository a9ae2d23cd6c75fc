/** How long other nodes have to give back what they do not need, and how often they may be asked. */
export interface RecallTimes {
  readonly patienceMs: number;
  readonly intervalMs: number;
}

export const recallTimes: RecallTimes = { patienceMs: 100, intervalMs: 100 };

/** What a node says to all others of an allowance: `recall` asks for what they hold, `returned` answers. */
export const recallMessage = (allowanceId: string, nodeId: string) => `recall:${allowanceId}:${nodeId}`;
export const returnedMessage = (allowanceId: string, nodeId: string) => `returned:${allowanceId}:${nodeId}`;

interface Recall {
  readonly done: Promise<void>;
  /** How many nodes have not answered. */
  awaited: number;
  finish(): void;
}

/** Asks other nodes for an allowance, for all requests at once that lack it. */
export class Recalls {
  readonly #announce: (message: string) => Promise<void>;
  readonly #times: RecallTimes;
  readonly #running = new Map<string, Recall>();
  readonly #resting = new Map<string, Promise<void>>();

  constructor(announce: (message: string) => Promise<void>, times: RecallTimes) {
    this.#announce = announce;
    this.#times = times;
  }

  /** Resolves once `holders` nodes have answered or their time is up. */
  async recall(allowanceId: string, nodeId: string, holders: number): Promise<void> {
    await this.#resting.get(allowanceId);
    const { done } = this.#running.get(allowanceId) ?? this.#ask(allowanceId, nodeId, holders);
    await done;
  }

  hearReturned(allowanceId: string): void {
    const recall = this.#running.get(allowanceId);
    if (recall && --recall.awaited <= 0) recall.finish();
  }

  #ask(allowanceId: string, nodeId: string, awaited: number): Recall {
    const { promise: done, resolve } = Promise.withResolvers<void>();
    const finish = () => {
      clearTimeout(timer);
      this.#running.delete(allowanceId);
      this.#rest(allowanceId);
      resolve();
    };
    const timer = setTimeout(finish, this.#times.patienceMs);
    const recall = { done, awaited, finish };
    this.#running.set(allowanceId, recall);
    // Without the notification nobody answers, and the time runs out.
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
