import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Steps } from './steps.ts';

/** Estimated duration of work that may run without a turn. */
const freeMicros = 2_000;

/**
 * Schedules heavy work in turns, one per event loop iteration, rotating between callers. A caller with a hundred
 * large requests therefore delays only its own requests.
 */
export class Turns {
  readonly #waiting = new Map<string, (() => void)[]>();

  /** Resolves when it is the turn of the caller `who`. Synchronous code after the promise runs within the turn. */
  take(who: string): Promise<void> {
    return new Promise((resolve) => {
      if (this.#waiting.size === 0) setImmediate(this.#giveTurn);
      this.#waiting.getOrInsertComputed(who, () => []).push(resolve);
    });
  }

  readonly #giveTurn = (): void => {
    const [first] = this.#waiting;
    if (!first) return;
    const [who, [begin, ...others]] = first;
    this.#waiting.delete(who);
    // The caller moves to the end of the queue.
    if (others.length > 0) this.#waiting.set(who, others);
    if (this.#waiting.size > 0) setImmediate(this.#giveTurn);
    begin?.();
  };
}

/** Work of one request. Heavy work takes turns, light work runs synchronously. */
export class PacedWork {
  readonly #turns: Turns;
  readonly #who: string;
  #micros = 0;
  #microsInTurn = 0;

  constructor(turns: Turns, who: string) {
    this.#turns = turns;
    this.#who = who;
  }

  /** Returns the result synchronously if the work is light, so that most requests do not wait. */
  run<Result>(steps: Steps<Result>): Result | Promise<Result> {
    for (;;) {
      const { done, value } = steps.next();
      if (done) return value;
      this.#micros += value;
      this.#microsInTurn += value;
      if (this.#microsInTurn > freeMicros) return this.#runAfterTurn(steps, value);
    }
  }

  async #runAfterTurn<Result>(steps: Steps<Result>, nextMicros: number): Promise<Result> {
    await this.#turns.take(this.#who);
    this.#microsInTurn = nextMicros;
    return this.run(steps);
  }

  /** Whether the work has been heavy so far and should pause before it continues. */
  get isHeavy(): boolean {
    return this.#micros > freeMicros;
  }

  async pause(): Promise<void> {
    if (!this.isHeavy) return;
    await this.#turns.take(this.#who);
    this.#microsInTurn = 0;
  }
}

/** Maximum time in milliseconds that one slice blocks the event loop, in addition to other work of the iteration. */
const sliceMs = 2;

/** Runs work for each item and yields to the event loop in between. Resolves when all items are done. */
export async function runInSlices<Item>(items: Iterable<Item>, work: (item: Item) => void): Promise<void> {
  let endsAtMs = performance.now() + sliceMs;
  for (const item of items) {
    work(item);
    if (performance.now() < endsAtMs) continue;
    await nextTurn();
    endsAtMs = performance.now() + sliceMs;
  }
}
