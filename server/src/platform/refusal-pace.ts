import { type Clock, monotonicClock } from './clock.ts';

/** Refusals per second of one caller that are answered at once, after a burst. */
const perSecond = 200;
const burst = 1_000;
const delayMaxMs = 2_000;
/** Maximum callers remembered, and refusals delayed at once; beyond them refusals are answered at once. */
const callersMax = 10_000;
const delayedMax = 10_000;

const intervalMs = 1_000 / perSecond;

/**
 * Delays refusals of a caller that repeats at once, so that a flood of refused requests leaves the worker to others.
 * Callers that keep to `retry-after` never notice.
 */
export class RefusalPace {
  readonly #now: Clock;
  /** When the next refusal of a caller is due, oldest caller first. */
  readonly #dueMs = new Map<string, number>();
  #delayed = 0;

  constructor(now: Clock = monotonicClock) {
    this.#now = now;
  }

  /** Returns how long to delay a refusal of this caller in milliseconds, from 0 to 2,000. */
  take(caller: string): number {
    const nowMs = this.#now();
    const dueMs = Math.max(this.#dueMs.get(caller) ?? -Infinity, nowMs - burst * intervalMs) + intervalMs;
    this.#dueMs.delete(caller);
    this.#dueMs.set(caller, Math.min(dueMs, nowMs + delayMaxMs));
    if (this.#dueMs.size > callersMax) this.#forgetOldest();
    return Math.min(delayMaxMs, Math.max(0, dueMs - nowMs));
  }

  /** Calls `answer`, at once or after the delay. */
  run(caller: string, answer: () => void): void {
    const delayMs = this.take(caller);
    if (delayMs < 1 || this.#delayed >= delayedMax) {
      answer();
      return;
    }
    this.#delayed++;
    setTimeout(() => {
      this.#delayed--;
      answer();
    }, delayMs);
  }

  #forgetOldest(): void {
    const [oldest] = this.#dueMs.keys();
    if (oldest !== undefined) this.#dueMs.delete(oldest);
  }
}
