import { UpstreamError } from '#upstream/upstream-error.ts';

export interface SseEvent {
  /** `message` when the stream gives no name. */
  event: string;
  /** Its data lines, joined by a line feed. */
  data: string;
}

const FRAME_BYTES_MAX = 1024 * 1024;
const LF = 0x0a;
const CR = 0x0d;

/**
 * Splits a stream of server-sent events that arrives cut at any byte. Work is done line by line: whole lines are
 * read from the chunk where they lie, only an unfinished one is copied, so no byte is looked at twice.
 */
export class SseSplitter {
  #event = '';
  #data: string | null = null;
  #frameBytes = 0;
  #partial = Buffer.alloc(0);
  #partialBytes = 0;
  #isFirstLine = true;
  #endedInCr = false;

  /** The events that this chunk completes. Throws `frame_too_large` when one grows beyond 1 MiB. */
  feed(chunk: Buffer): SseEvent[] {
    const events: SseEvent[] = [];
    let start = this.#endedInCr && chunk[0] === LF ? 1 : 0;
    let lf = chunk.indexOf(LF, start);
    let cr = chunk.indexOf(CR, start);
    while (lf !== -1 || cr !== -1) {
      const end = cr === -1 || (lf !== -1 && lf < cr) ? lf : cr;
      const event = this.#takeLine(chunk, start, end);
      if (event !== null) events.push(event);
      start = end === cr && lf === cr + 1 ? end + 2 : end + 1;
      if (lf !== -1 && lf < start) lf = chunk.indexOf(LF, start);
      if (cr !== -1 && cr < start) cr = chunk.indexOf(CR, start);
    }
    if (chunk.length > 0) this.#endedInCr = chunk[chunk.length - 1] === CR;
    if (start < chunk.length) this.#keepPartial(chunk, start, chunk.length);
    return events;
  }

  #takeLine(chunk: Buffer, start: number, end: number): SseEvent | null {
    const byteCount = this.#partialBytes + end - start;
    let line = '';
    if (this.#partialBytes === 0) line = chunk.toString('utf8', start, end);
    else {
      this.#keepPartial(chunk, start, end);
      line = this.#partial.toString('utf8', 0, byteCount);
      this.#partialBytes = 0;
    }
    if (this.#isFirstLine && line.startsWith('\uFEFF')) line = line.slice(1);
    this.#isFirstLine = false;
    if (line === '') return this.#endFrame();
    this.#readField(line, byteCount);
    return null;
  }

  #readField(line: string, byteCount: number): void {
    const colon = line.indexOf(':');
    const name = colon === -1 ? line : line.slice(0, colon);
    if (name !== 'data' && name !== 'event') return;
    this.#frameBytes += byteCount;
    if (this.#frameBytes > FRAME_BYTES_MAX) throw new UpstreamError('frame_too_large', 'after_first_byte');
    const valueStart = colon === -1 ? line.length : colon + (line[colon + 1] === ' ' ? 2 : 1);
    const value = line.slice(valueStart);
    if (name === 'event') this.#event = value;
    else this.#data = this.#data === null ? value : `${this.#data}\n${value}`;
  }

  #endFrame(): SseEvent | null {
    const event = this.#data === null ? null : { event: this.#event || 'message', data: this.#data };
    this.#event = '';
    this.#data = null;
    this.#frameBytes = 0;
    return event;
  }

  #keepPartial(chunk: Buffer, start: number, end: number): void {
    const byteCount = this.#partialBytes + end - start;
    if (this.#frameBytes + byteCount > FRAME_BYTES_MAX)
      throw new UpstreamError('frame_too_large', 'after_first_byte');
    if (byteCount > this.#partial.length) {
      const grown = Buffer.allocUnsafe(byteCount * 2);
      this.#partial.copy(grown, 0, 0, this.#partialBytes);
      this.#partial = grown;
    }
    chunk.copy(this.#partial, this.#partialBytes, start, end);
    this.#partialBytes = byteCount;
  }
}
