import { connect, type Socket } from 'node:net';

export interface OfferedCall {
  readonly request: string;
  /** Number of response bytes, including the head, after which the caller disconnects. */
  readonly leaveAfterBytes?: number;
}

export interface CallEnd {
  /** HTTP status; `null` without response headers. */
  readonly status: number | null;
  /** Request id from the gateway. */
  readonly id: string | null;
  readonly refusal: string | null;
  /**
   * Milliseconds from sending the call to the first byte and to the end of the response. Waiting for a connection is
   * excluded.
   */
  readonly firstByteMs: number;
  readonly tookMs: number;
  readonly isWhole: boolean;
  readonly hasLeft: boolean;
}

export interface OfferedLoad<Call extends OfferedCall> {
  readonly port: number;
  /**
   * Calls per second. With `null`, each connection sends its next request as soon as the previous response is
   * complete.
   */
  readonly ratePerSecond: number | null;
  readonly connectionsMax: number;
  readonly durationMs: number;
  /** Call timeout in milliseconds. Defaults to 30 seconds. */
  readonly answerLimitMs?: number;
  /** Maximum number of calls waiting for a connection. Additional calls are not sent. */
  readonly waitingMax?: number;
  next(): Call;
  onEnd(call: Call, end: CallEnd): void;
}

const tickMs = 2;
/** Interval of the timeout check, which is slow with thousands of connections. */
const timeoutCheckMs = 100;

/**
 * Sends calls at a fixed rate, regardless of responses. A call without a free connection opens a new one, or waits if
 * the maximum is reached.
 */
export async function offerLoad<Call extends OfferedCall>(load: OfferedLoad<Call>): Promise<void> {
  const { port, ratePerSecond, connectionsMax, durationMs, next, onEnd } = load;
  const { answerLimitMs = 30_000, waitingMax = Number.POSITIVE_INFINITY } = load;
  const idle: Lane[] = [];
  const lanes = new Set<Lane>();
  const due: number[] = [];
  const startedMs = performance.now();
  const isOver = () => performance.now() - startedMs >= durationMs;
  let offered = 0;
  let checkedMs = startedMs;

  const take = (lane: Lane, dueAtMs: number) => {
    const call = next();
    lane.send(call, dueAtMs, (end) => {
      onEnd(call, end);
      if (lane.isOpen) idle.push(lane);
      else lanes.delete(lane);
      serve();
    });
  };
  const serve = () => {
    while (ratePerSecond === null ? !isOver() && lanes.size - idle.length < connectionsMax : due.length > 0) {
      let lane = idle.pop();
      while (lane && !lane.isOpen) {
        lanes.delete(lane);
        lane = idle.pop();
      }
      if (!lane && lanes.size >= connectionsMax) return;
      lane ??= new Lane(port);
      lanes.add(lane);
      take(lane, due.shift() ?? performance.now());
    }
  };
  const { promise, resolve } = Promise.withResolvers<void>();
  const ticker = setInterval(() => {
    const now = performance.now();
    const planned = (Math.min(now - startedMs, durationMs) / 1000) * (ratePerSecond ?? 0);
    for (; offered < Math.floor(planned); offered++) if (due.length < waitingMax) due.push(now);
    serve();
    if (now - checkedMs >= timeoutCheckMs) {
      checkedMs = now;
      for (const lane of lanes) lane.giveUp(now - answerLimitMs);
    }
    if (isOver() && due.length === 0 && [...lanes].every((lane) => !lane.isBusy)) resolve();
  }, tickMs);
  await promise;
  clearInterval(ticker);
  for (const lane of lanes) lane.close();
}

const headEnd = '\r\n\r\n';
// Last chunk of a chunked body. Responses are JSON and events, which contain these bytes nowhere else.
const lastChunk = '0\r\n\r\n';

class Lane {
  readonly #socket: Socket;
  #call: OfferedCall | null = null;
  #onEnd: (end: CallEnd) => void = () => undefined;
  #dueAtMs = 0;
  #sentAtMs = 0;
  #firstByteAtMs = 0;
  #receivedBytes = 0;
  #head = '';
  #status: number | null = null;
  #missingBytes = 0;
  #tail = '';
  isOpen = true;

  constructor(port: number) {
    this.#socket = connect({ host: '127.0.0.1', port, noDelay: true });
    this.#socket.on('data', (chunk) => this.#take(chunk.toString('latin1')));
    this.#socket.on('error', () => undefined);
    this.#socket.on('close', () => {
      this.isOpen = false;
      this.#end(false);
    });
  }

  get isBusy(): boolean {
    return this.#call !== null;
  }

  send(call: OfferedCall, dueAtMs: number, onEnd: (end: CallEnd) => void): void {
    this.#call = call;
    this.#onEnd = onEnd;
    this.#dueAtMs = dueAtMs;
    this.#sentAtMs = performance.now();
    this.#firstByteAtMs = 0;
    this.#receivedBytes = 0;
    this.#head = '';
    this.#status = null;
    this.#tail = '';
    this.#socket.write(call.request);
    if (call.leaveAfterBytes === 0) setTimeout(() => this.#leave(call), Math.random() * 20);
  }

  giveUp(beforeMs: number): void {
    if (this.isBusy && this.#dueAtMs < beforeMs) this.#socket.destroy();
  }

  close(): void {
    this.#socket.destroy();
  }

  #take(text: string): void {
    if (!this.#call) return;
    this.#firstByteAtMs ||= performance.now();
    this.#receivedBytes += text.length;
    const isWhole = this.#status === null ? this.#takeHead(text) : this.#takeBody(text);
    if (isWhole) this.#end(true);
    else if (this.#receivedBytes >= (this.#call.leaveAfterBytes ?? Number.POSITIVE_INFINITY))
      this.#leave(this.#call);
  }

  #takeHead(text: string): boolean {
    this.#head += text;
    const end = this.#head.indexOf(headEnd);
    if (end === -1) return false;
    const body = this.#head.slice(end + headEnd.length);
    const [, length] = /\r\ncontent-length: *(\d+)/i.exec(this.#head.slice(0, end)) ?? [];
    if (/\r\nconnection: *close/i.test(this.#head.slice(0, end))) this.isOpen = false;
    this.#status = Number(this.#head.slice(9, 12));
    this.#missingBytes = length === undefined ? Number.POSITIVE_INFINITY : Number(length);
    return this.#takeBody(body, true);
  }

  #takeBody(text: string, isFirst = false): boolean {
    if (!isFirst && this.#status !== 200) this.#head += text;
    this.#missingBytes -= text.length;
    this.#tail = (this.#tail + text).slice(-lastChunk.length);
    return this.#missingBytes <= 0 || (this.#missingBytes > 1e15 && this.#tail === lastChunk);
  }

  #leave(call: OfferedCall): void {
    if (this.#call !== call) return;
    this.isOpen = false;
    this.#end(false, true);
    this.#socket.destroy();
  }

  #end(isWhole: boolean, hasLeft = false): void {
    if (!this.#call) return;
    this.#call = null;
    const now = performance.now();
    this.#onEnd({
      status: this.#status,
      id: /\r\nx-request-id: *(\S+)/i.exec(this.#head)?.[1] ?? null,
      refusal: this.#status === null || this.#status === 200 ? null : this.#head,
      firstByteMs: (this.#firstByteAtMs || now) - this.#sentAtMs,
      tookMs: now - this.#sentAtMs,
      isWhole,
      hasLeft,
    });
  }
}
