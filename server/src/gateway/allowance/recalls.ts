/** How long other nodes have to give back what they do not need. */
const patienceMs = 100;

/** What a node says to all others of an allowance: `recall` asks for what they hold, `returned` answers. */
export const recallMessage = (allowanceId: string, nodeId: string) => `recall:${allowanceId}:${nodeId}`;
export const returnedMessage = (allowanceId: string) => `returned:${allowanceId}`;

interface Recall {
  readonly done: Promise<void>;
  /** How many nodes have not answered. */
  awaited: number;
  finish(): void;
}

/** Asks other nodes for an allowance, for all requests at once that lack it, and at most once in 100 ms. */
export class Recalls {
  readonly #announce: (message: string) => Promise<void>;
  readonly #running = new Map<string, Recall>();

  constructor(announce: (message: string) => Promise<void>) {
    this.#announce = announce;
  }

  /** Resolves once `holders` nodes have answered, and after 100 ms at the latest. */
  recall(allowanceId: string, nodeId: string, holders: number): Promise<void> {
    const running = this.#running.get(allowanceId);
    if (running) return running.done;
    const { promise: done, resolve: finish } = Promise.withResolvers<void>();
    this.#running.set(allowanceId, { done, awaited: holders, finish });
    setTimeout(() => {
      this.#running.delete(allowanceId);
      finish();
    }, patienceMs);
    // Without the notification nobody answers, and the time runs out.
    this.#announce(recallMessage(allowanceId, nodeId)).catch(() => undefined);
    return done;
  }

  hearReturned(allowanceId: string): void {
    const recall = this.#running.get(allowanceId);
    if (recall && --recall.awaited <= 0) recall.finish();
  }
}
