import type { Steps } from '#protocols/steps.ts';

/** So much work in one go troubles nobody. */
const freeMicros = 2_000;

/**
 * Lets heavy work take turns: one turn for each pass of the event loop, and those who wait one after the other, so that
 * whoever has a hundred large requests under way holds up their own.
 */
export class Turns {
  readonly #waiting = new Map<string, (() => void)[]>();

  /** Resolves when it is the turn of `who`; what is done without awaiting anything is done in it. */
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
    // Behind all others.
    if (others.length > 0) this.#waiting.set(who, others);
    if (this.#waiting.size > 0) setImmediate(this.#giveTurn);
    begin?.();
  };
}

/** The work of one request, which takes turns when it is heavy and is done at once when it is light. */
export class PacedWork {
  readonly #turns: Turns;
  readonly #who: string;
  #micros = 0;
  #microsInTurn = 0;

  constructor(turns: Turns, who: string) {
    this.#turns = turns;
    this.#who = who;
  }

  async run<Result>(steps: Steps<Result>): Promise<Result> {
    for (;;) {
      const { done, value } = steps.next();
      if (done) return value;
      this.#micros += value;
      this.#microsInTurn += value;
      if (this.#microsInTurn <= freeMicros) continue;
      await this.#turns.take(this.#who);
      this.#microsInTurn = value;
    }
  }

  /** Before more work on what was heavy so far. */
  pause(): Promise<void> | undefined {
    return this.#micros <= freeMicros ? undefined : this.#rest();
  }

  async #rest(): Promise<void> {
    await this.#turns.take(this.#who);
    this.#microsInTurn = 0;
  }
}
