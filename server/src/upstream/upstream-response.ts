import type { UpstreamError } from '#upstream/upstream-error.ts';

export interface UpstreamTimeouts {
  connectMs: number;
  /** From the request on its way to the first byte of the answer's body. */
  firstByteMs: number;
  /** Between two chunks, not counting the time in which the consumer has paused the stream. */
  idleMs: number;
  totalMs: number;
}

/** Names are lower case. */
export type UpstreamHeaders = Record<string, string | string[] | undefined>;

export interface UpstreamResponse {
  status: number;
  headers: UpstreamHeaders;
  /** Must be collected, consumed or aborted. */
  body: UpstreamBody;
}

export interface UpstreamBody {
  /** Resolves with the first byte of the body, or its end; rejects when the answer fails before either. */
  begun(): Promise<void>;
  /** The whole body; rejects with `body_too_large` as soon as it is longer than `maxBytes`. */
  collect(maxBytes: number): Promise<Buffer>;
  consume(consumer: BodyConsumer): void;
  /** Ends a pause that `onData` asked for. */
  resume(): void;
  /** Closes the upstream connection; a consumer is told by `onError`. */
  abort(reason?: unknown): void;
}

/**
 * Where a streamed body goes. Exactly one of `onEnd` and `onError` comes, once, after all data; but what a
 * consumer throws comes back to its `onError`, an UpstreamError with its code, all else as `consumer_failed`.
 */
export interface BodyConsumer {
  /** False pauses the upstream until `resume`; what its socket has read already may still arrive. */
  onData(chunk: Buffer): boolean;
  onEnd(): void;
  onError(error: UpstreamError): void;
}
