import type { AbortListener, AbortSource } from '#upstream/abort-source.ts';

const none: readonly AbortListener[] = [];

/**
 * Ends a request early. Every request has an instance but few use it, and an `AbortController` with signal and events
 * is ten times slower.
 */
export class RequestAbort implements AbortSource {
  #listeners: readonly AbortListener[] = none;
  #hasLeft = false;
  #isAborted = false;
  #reason: unknown;
  #onLeft: (() => boolean) | null = null;

  /** Whether to stop reading the provider's response. */
  get aborted(): boolean {
    return this.#isAborted;
  }

  get reason(): unknown {
    return this.#reason;
  }

  /** Whether the caller has disconnected. The response may still be read for the usage at its end. */
  get hasLeft(): boolean {
    return this.#hasLeft;
  }

  /**
   * The callback returns whether the response is still read after the caller disconnects. If not, the call is
   * aborted.
   */
  onLeft(keepsReading: () => boolean): void {
    this.#onLeft = keepsReading;
  }

  leave(): void {
    if (this.#isAborted || this.#hasLeft) return;
    this.#hasLeft = true;
    if (!this.#onLeft?.()) this.abort();
  }

  /** Only the first call has an effect. If `reason` is absent, the caller has disconnected. */
  abort(reason?: unknown): void {
    if (this.#isAborted) return;
    this.#isAborted = true;
    this.#reason = reason;
    const listeners = this.#listeners;
    this.#listeners = none;
    for (const listener of listeners) listener.handleEvent();
  }

  addEventListener(_: 'abort', listener: AbortListener): void {
    this.#listeners = this.#listeners.concat(listener);
  }

  removeEventListener(_: 'abort', listener: AbortListener): void {
    this.#listeners = this.#listeners.filter((one) => one !== listener);
  }
}
