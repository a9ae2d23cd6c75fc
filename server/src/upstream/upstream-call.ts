import type { Dispatcher } from 'undici';
import type { AbortSource } from './abort-source.ts';
import type { DeadlineSweep, Watched } from './deadline-sweep.ts';
import { GrowingBuffer } from './growing-buffer.ts';
import { toUpstreamError, UpstreamError, type UpstreamErrorCode } from './upstream-error.ts';
import type {
  BodyConsumer,
  UpstreamBody,
  UpstreamHeaders,
  UpstreamResponse,
  UpstreamTimeouts,
} from './upstream-response.ts';

/** Maximum data buffered before a consumer is attached. At this size, the upstream is paused. */
const heldBytesMax = 64 * 1024;

type Stage = 'connect' | 'first_byte' | 'idle' | 'paused';

const stageLimits = { connect: 'connectMs', first_byte: 'firstByteMs', idle: 'idleMs' } as const;

interface ExchangeOptions {
  signal: AbortSource;
  timeouts: UpstreamTimeouts;
  sweep: DeadlineSweep;
  onSent?: (() => void) | undefined;
  /** Settled once, with the response head or with an error that occurred before the head. */
  answering: { resolve(response: UpstreamResponse): void; reject(error: UpstreamError): void };
}

/**
 * A single object serves as undici's handler, the response body, the abort listener and the deadline sweep entry,
 * since one is allocated for each request.
 */
export class UpstreamCall implements Dispatcher.DispatchHandler, UpstreamBody, Watched {
  #options: ExchangeOptions | null;
  #stage: Stage = 'connect';
  #outcome: UpstreamError | 'ended' | null = null;
  #controller: Dispatcher.DispatchController | null = null;
  #consumer: BodyConsumer | null = null;
  #onBegun: PromiseWithResolvers<void> | null = null;
  #held: Buffer[] = [];
  #heldBytes = 0;
  #hasResponse = false;
  #hasBytes = false;
  #isTold = false;
  #startedAtMs: number | null = null;
  #stageSinceMs: number | null = null;

  constructor(options: ExchangeOptions) {
    this.#options = options;
    options.sweep.add(this);
    options.signal.addEventListener('abort', this);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // The call was aborted while connecting. Throwing drops the unsent request and keeps the connection.
    if (this.#outcome instanceof UpstreamError) throw this.#outcome;
    this.#controller = controller;
    this.#options?.onSent?.();
    this.#enter('first_byte');
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: UpstreamHeaders): void {
    if (status < 200) return;
    const encoding = String(headers['content-encoding'] ?? '').toLowerCase();
    if (status >= 300 && status < 400) this.#fail('redirect_refused');
    else if (encoding !== '' && encoding !== 'identity') this.#fail('unsupported_encoding');
    else {
      this.#hasResponse = true;
      this.#options?.answering.resolve({ status, headers, body: this });
    }
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    // The HTTP parser passes an empty chunk when it is resumed without data to read.
    if (chunk.length === 0) return;
    if (!this.#hasBytes) this.#begin();
    if (this.#stage !== 'paused') this.#enter('idle');
    if (this.#consumer === null || this.#held.length > 0) this.#hold(chunk);
    else if (!this.#deliver(this.#consumer, chunk)) this.#pause();
  }

  onResponseEnd(): void {
    this.#finish('ended');
  }

  onResponseError(_: Dispatcher.DispatchController | null, error: Error): void {
    if (this.#outcome !== null) return;
    const isSent = this.#controller !== null;
    this.#finish(toUpstreamError(error, { isSent, phase: this.#phase }));
  }

  handleEvent(): void {
    this.abort(this.#options?.signal.reason);
  }

  checkDeadlines(nowMs: number): void {
    if (this.#options === null) return;
    const { timeouts } = this.#options;
    this.#startedAtMs ??= nowMs;
    this.#stageSinceMs ??= nowMs;
    const inStageMs = nowMs - this.#stageSinceMs;
    if (nowMs - this.#startedAtMs >= timeouts.totalMs) this.#fail('total_timeout');
    else if (this.#stage !== 'paused' && inStageMs >= timeouts[stageLimits[this.#stage]])
      this.#fail(`${this.#stage}_timeout`);
  }

  get hasBegun(): boolean {
    return this.#hasBytes || this.#outcome === 'ended';
  }

  begun(): Promise<void> {
    if (this.hasBegun) return Promise.resolve();
    if (this.#outcome !== null) return Promise.reject(this.#outcome);
    this.#onBegun = Promise.withResolvers();
    return this.#onBegun.promise;
  }

  takeArrived(): Buffer | null {
    const only = this.#held[0];
    if (this.#outcome !== 'ended' || !only || this.#held.length > 1) return null;
    this.#held = [];
    this.#isTold = true;
    return withoutByteOrderMark(only);
  }

  collect(maxBytes: number, onGrown?: (heldBytes: number) => void): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      let first: Buffer | null = null;
      const joined = new GrowingBuffer();
      this.consume({
        onData: (chunk) => {
          if (first === null && joined.length === 0) first = chunk;
          else {
            if (first) joined.append(first);
            first = null;
            joined.append(chunk);
          }
          const receivedBytes = first?.length ?? joined.length;
          if (receivedBytes > maxBytes) this.#fail('body_too_large');
          else onGrown?.(Math.max(receivedBytes, joined.capacity));
          return true;
        },
        onEnd: () => resolve(withoutByteOrderMark(first ?? joined.take())),
        onError: reject,
      });
    });
  }

  consume(consumer: BodyConsumer): void {
    if (this.#consumer !== null || this.#isTold) throw new Error('This body already has a consumer');
    this.#consumer = consumer;
    let wantsMore = true;
    for (let chunk = this.#held[0]; chunk !== undefined; chunk = this.#held[0]) {
      wantsMore = this.#deliver(consumer, chunk);
      this.#held.shift();
    }
    if (this.#outcome !== null) this.#tell();
    else if (wantsMore) this.resume();
    else this.#pause();
  }

  resume(): void {
    if (this.#stage !== 'paused') return;
    this.#enter('idle');
    this.#controller?.resume();
  }

  abort(reason?: unknown): void {
    this.#fail('aborted', reason);
  }

  get #phase() {
    return this.#hasBytes ? ('after_first_byte' as const) : ('before_first_byte' as const);
  }

  /** Called for every chunk, so it does not read the clock. The next sweep sets the time. */
  #enter(stage: Stage): void {
    this.#stage = stage;
    this.#stageSinceMs = null;
  }

  #hold(chunk: Buffer): void {
    // Most responses are one chunk, and `push` to an empty array reserves room for 17.
    if (this.#held.length === 0) this.#held = [chunk];
    else this.#held.push(chunk);
    this.#heldBytes += chunk.length;
    if (this.#heldBytes >= heldBytesMax) this.#pause();
  }

  #deliver(consumer: BodyConsumer, chunk: Buffer): boolean {
    try {
      return consumer.onData(chunk);
    } catch (error) {
      this.#fail(error instanceof UpstreamError ? error.code : 'consumer_failed', error);
      return false;
    }
  }

  #pause(): void {
    this.#enter('paused');
    this.#controller?.pause();
  }

  #fail(code: UpstreamErrorCode, cause?: unknown): void {
    if (this.#isTold || this.#outcome instanceof UpstreamError) return;
    const error = new UpstreamError(code, this.#phase, cause);
    this.#held = [];
    if (this.#controller === null) this.#finish(error);
    else this.#controller.abort(error);
  }

  #begin(): void {
    this.#hasBytes = true;
    this.#onBegun?.resolve();
  }

  // Releases all references. Otherwise, a finished request that remains reachable from promoted objects survives
  // young-generation collections, at 5 us per request.
  #finish(outcome: UpstreamError | 'ended'): void {
    const options = this.#options;
    this.#outcome = outcome;
    if (outcome === 'ended') this.#onBegun?.resolve();
    else this.#onBegun?.reject(outcome);
    this.#options = null;
    this.#controller = null;
    options?.sweep.delete(this);
    options?.signal.removeEventListener('abort', this);
    if (outcome !== 'ended' && !this.#hasResponse) options?.answering.reject(outcome);
    else if (this.#held.length === 0) this.#tell();
  }

  #tell(): void {
    const consumer = this.#consumer;
    if (consumer === null || this.#outcome === null) return;
    this.#isTold = true;
    this.#consumer = null;
    if (this.#outcome === 'ended') this.#end(consumer);
    else consumer.onError(this.#outcome);
  }

  #end(consumer: BodyConsumer): void {
    try {
      consumer.onEnd();
    } catch (error) {
      consumer.onError(new UpstreamError('consumer_failed', this.#phase, error));
    }
  }
}

const byteOrderMark = Buffer.from('\uFEFF');

/** Some servers start their JSON with a byte order mark, which parsers may ignore (RFC 8259, section 8.1). */
function withoutByteOrderMark(body: Buffer): Buffer {
  const isMarked =
    body[0] === byteOrderMark[0] && body[1] === byteOrderMark[1] && body[2] === byteOrderMark[2];
  return isMarked ? body.subarray(byteOrderMark.length) : body;
}
