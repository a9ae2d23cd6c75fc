import { type Clock, monotonicClock } from './clock.ts';
import { dropOldest } from './drop-oldest.ts';

/** Rejections per second that a caller gets without a delay, once its burst is used up. */
const perSecond = 200;
const burst = 1_000;
const delayMaxMs = 2_000;
/**
 * Maximum number of remembered callers and of delayed rejections. Beyond them, the caller that was rejected least
 * recently is forgotten, and further rejections are sent without a delay.
 */
const callersMax = 10_000;
const delayedMax = 10_000;

const intervalMs = 1_000 / perSecond;

/**
 * Delays rejections of callers that retry immediately, so that a flood of rejected requests does not overload the
 * worker. Callers that honor `retry-after` are not affected.
 */
export class RefusalPace {
  readonly #now: Clock;
  /** Due time of the next rejection per caller, oldest caller first. */
  readonly #dueMs = new Map<string, number>();
  #delayed = 0;

  constructor(now: Clock = monotonicClock) {
    this.#now = now;
  }

  /** Returns the delay of the caller's next rejection in milliseconds, from 0 to 2,000. */
  take(caller: string): number {
    const nowMs = this.#now();
    const dueMs = Math.max(this.#dueMs.get(caller) ?? -Infinity, nowMs - burst * intervalMs) + intervalMs;
    this.#dueMs.delete(caller);
    this.#dueMs.set(caller, Math.min(dueMs, nowMs + delayMaxMs));
    dropOldest(this.#dueMs, callersMax);
    return Math.min(delayMaxMs, Math.max(0, dueMs - nowMs));
  }

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
}
