import type { RequestAbort } from '../request-abort.ts';

export interface AbandonedLimits {
  /** Read timeout. 0 aborts every call as soon as the caller disconnects. */
  readonly timeoutMs: number;
  readonly bytesMax: number;
  /** Maximum number of concurrent calls of one user on this worker. */
  readonly perUserMax: number;
  readonly perWorkerMax: number;
}

export const abandonedLimits: AbandonedLimits = {
  timeoutMs: 120_000,
  bytesMax: 32 * 1024 * 1024,
  perUserMax: 32,
  perWorkerMax: 512,
};

const readNoFurther = () => false;

interface AbandonedCall {
  readonly userId: number;
  readonly timer: NodeJS.Timeout;
}

/**
 * Calls whose callers have disconnected. Each response is read to the usage at its end, so that the cost is the same
 * whether or not the caller stays connected. Meanwhile, the request keeps its slot and hold.
 */
export class AbandonedCalls {
  readonly limits: AbandonedLimits;
  readonly #calls = new Map<RequestAbort, AbandonedCall>();
  readonly #perUser = new Map<number, number>();
  readonly #stopping: AbortSignal | null;
  #onEmpty: (() => void) | null = null;

  /** `stopping` aborts when the node must stop. All calls are then aborted, and new ones are rejected. */
  constructor(limits: Partial<AbandonedLimits> = {}, stopping: AbortSignal | null = null) {
    this.limits = { ...abandonedLimits, ...limits };
    this.#stopping = stopping;
    stopping?.addEventListener('abort', () => {
      for (const abort of this.#calls.keys()) abort.abort();
    });
  }

  get size(): number {
    return this.#calls.size;
  }

  /**
   * Returns `false` if the response must not be read any further, because a limit is reached, the timeout is 0, or
   * the node is stopping. Otherwise, call `end` once when the request has ended.
   */
  begin(abort: RequestAbort, userId: number): boolean {
    const { perUserMax, perWorkerMax, timeoutMs } = this.limits;
    const ofUser = this.#perUser.get(userId) ?? 0;
    if (
      this.#stopping?.aborted ||
      timeoutMs === 0 ||
      ofUser >= perUserMax ||
      this.#calls.size >= perWorkerMax
    )
      return false;
    this.#perUser.set(userId, ofUser + 1);
    this.#calls.set(abort, { userId, timer: setTimeout(() => abort.abort(), timeoutMs) });
    return true;
  }

  end(abort: RequestAbort): void {
    abort.onLeft(readNoFurther);
    const call = this.#calls.get(abort);
    if (!call) return;
    clearTimeout(call.timer);
    this.#calls.delete(abort);
    const rest = (this.#perUser.get(call.userId) ?? 0) - 1;
    if (rest > 0) this.#perUser.set(call.userId, rest);
    else this.#perUser.delete(call.userId);
    if (this.#calls.size === 0) this.#onEmpty?.();
  }

  /** Resolves when no call is left. Calls end on timeout, or when the node cuts off all requests. */
  async whenEnded(): Promise<void> {
    if (this.#calls.size === 0) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#onEmpty = resolve;
    await promise;
  }
}
