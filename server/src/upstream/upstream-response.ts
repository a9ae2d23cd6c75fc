import type { UpstreamError } from './upstream-error.ts';

export interface UpstreamTimeouts {
  connectMs: number;
  /** Maximum time from sending the request to the first byte of the response body. */
  firstByteMs: number;
  /** Maximum time between two chunks, excluding time during which the consumer has paused the stream. */
  idleMs: number;
  totalMs: number;
}

/** Response headers with lower-case names. */
export type UpstreamHeaders = Record<string, string | string[] | undefined>;

export interface UpstreamResponse {
  status: number;
  headers: UpstreamHeaders;
  /** The caller must collect, consume or abort the body. */
  body: UpstreamBody;
}

export interface UpstreamBody {
  /** Whether the first byte has arrived, or the end of an empty body. */
  readonly hasBegun: boolean;
  /** Also resolves at the end of an empty body. Rejects if the response fails earlier. */
  begun(): Promise<void>;
  /** Returns `null` unless all of the body has arrived in one piece. */
  takeArrived(): Buffer | null;
  /**
   * Returns the whole body; rejects with `body_too_large` as soon as the body exceeds `maxBytes`. `onGrown` is called
   * with the memory used so far, in bytes.
   */
  collect(maxBytes: number, onGrown?: (heldBytes: number) => void): Promise<Buffer>;
  consume(consumer: BodyConsumer): void;
  /** Ends a pause requested by `onData`. */
  resume(): void;
  /** Closes the upstream connection. A consumer is notified through `onError`. */
  abort(reason?: unknown): void;
}

/**
 * Exactly one of `onEnd` and `onError` is called, once, after all data. An exception thrown by the consumer is passed
 * to its own `onError`: an UpstreamError with its code, any other as `consumer_failed`.
 */
export interface BodyConsumer {
  /**
   * Returning false pauses the upstream until `resume` is called. Data already read from the socket may still arrive.
   */
  onData(chunk: Buffer): boolean;
  onEnd(): void;
  onError(error: UpstreamError): void;
}
