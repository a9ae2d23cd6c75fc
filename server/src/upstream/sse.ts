import { UpstreamError } from '#upstream/upstream-error.ts';

/** One event or line of a provider's stream. */
export interface FramedEvent {
  /** `message` when the stream names no event. */
  event: string;
  data: string;
  /** Original bytes including the end of the frame. */
  raw: Buffer;
}

/** Splits a stream that arrives in chunks of any size into events. */
export interface StreamSplitter {
  /** Returns the events that this chunk completes. Throws `frame_too_large` when one exceeds `frameBytesMax`. */
  feed(chunk: Buffer): FramedEvent[];
  /** Returns the events that the end of the stream completes. */
  end(): FramedEvent[];
}

/** Maximum bytes of an event. It equals that of a whole response, since an event may contain an image. */
export const frameBytesMax = 32 * 1024 * 1024;
/** Larger buffers are released after their line, since events with images are rare. */
export const keptPartialMax = 1024 * 1024;

/** Maximum lines of an event: each takes more memory than its bytes. */
export const frameLinesMax = 50_000;
/** Memory of a held chunk in addition to its bytes. */
const chunkOverheadBytes = 64;

const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/**
 * Splits a stream of server-sent events that arrives in arbitrary chunks. It works line by line: whole lines are read
 * in place, and only an unfinished line is copied, so that no byte is scanned twice.
 */
export class SseSplitter implements StreamSplitter {
  #event = '';
  #data: string | null = null;
  #frameBytes = 0;
  #frameLines = 0;
  #partial = Buffer.alloc(0);
  #partialBytes = 0;
  #isFirstLine = true;
  #endedInCr = false;
  #heldRaw: Buffer[] = [];
  #heldRawBytes = 0;

  feed(chunk: Buffer): FramedEvent[] {
    const events: FramedEvent[] = [];
    let rawStart = 0;
    let start = this.#endedInCr && chunk[0] === lineFeed ? 1 : 0;
    let lf = chunk.indexOf(lineFeed, start);
    let cr = chunk.indexOf(carriageReturn, start);
    while (lf !== -1 || cr !== -1) {
      const end = cr === -1 || (lf !== -1 && lf < cr) ? lf : cr;
      const isFrameOver = this.#takeLine(chunk, start, end);
      start = end === cr && lf === cr + 1 ? end + 2 : end + 1;
      if (isFrameOver) {
        const event = this.#endFrame(chunk.subarray(rawStart, start));
        if (event !== null) events.push(event);
        rawStart = start;
      } else if (this.#frameBytes === 0) {
        // Lines before the event, such as keep-alive comments, are not part of it.
        this.#dropRaw();
        rawStart = start;
      }
      if (lf !== -1 && lf < start) lf = chunk.indexOf(lineFeed, start);
      if (cr !== -1 && cr < start) cr = chunk.indexOf(carriageReturn, start);
    }
    if (chunk.length > 0) this.#endedInCr = chunk[chunk.length - 1] === carriageReturn;
    if (start < chunk.length) this.#keepPartial(chunk, start, chunk.length);
    if (rawStart < chunk.length) this.#holdRaw(chunk.subarray(rawStart));
    return events;
  }

  /** Returns nothing: an event without its terminating blank line is incomplete. */
  end(): FramedEvent[] {
    return [];
  }

  /** Returns true for the blank line that ends a frame. */
  #takeLine(chunk: Buffer, start: number, end: number): boolean {
    const byteCount = this.#partialBytes + end - start;
    let line = '';
    if (this.#partialBytes === 0) line = chunk.toString('utf8', start, end);
    else {
      this.#keepPartial(chunk, start, end);
      line = this.#partial.toString('utf8', 0, byteCount);
      this.#partialBytes = 0;
      if (this.#partial.length > keptPartialMax) this.#partial = Buffer.alloc(0);
    }
    if (this.#isFirstLine && line.startsWith('\uFEFF')) line = line.slice(1);
    this.#isFirstLine = false;
    if (line === '') return true;
    this.#readField(line, byteCount);
    return false;
  }

  #readField(line: string, byteCount: number): void {
    const colon = line.indexOf(':');
    const name = colon === -1 ? line : line.slice(0, colon);
    if (name !== 'data' && name !== 'event') return;
    this.#frameBytes += byteCount;
    this.#frameLines++;
    if (this.#frameBytes > frameBytesMax || this.#frameLines > frameLinesMax)
      throw new UpstreamError('frame_too_large', 'after_first_byte');
    const valueStart = colon === -1 ? line.length : colon + (line[colon + 1] === ' ' ? 2 : 1);
    const value = line.slice(valueStart);
    if (name === 'event') this.#event = value;
    else this.#data = this.#data === null ? value : `${this.#data}\n${value}`;
  }

  /** Returns `null` for frames without data, such as keep-alive comments. */
  #endFrame(tail: Buffer): FramedEvent | null {
    const raw = this.#heldRaw.length === 0 ? tail : Buffer.concat([...this.#heldRaw, tail]);
    const event = this.#data === null ? null : { event: this.#event || 'message', data: this.#data, raw };
    this.#event = '';
    this.#data = null;
    this.#frameBytes = 0;
    this.#frameLines = 0;
    this.#dropRaw();
    return event;
  }

  #dropRaw(): void {
    this.#heldRaw = [];
    this.#heldRawBytes = 0;
  }

  #holdRaw(bytes: Buffer): void {
    this.#heldRawBytes += bytes.length + chunkOverheadBytes;
    if (this.#heldRawBytes > 2 * frameBytesMax)
      throw new UpstreamError('frame_too_large', 'after_first_byte');
    this.#heldRaw.push(Buffer.from(bytes));
  }

  #keepPartial(chunk: Buffer, start: number, end: number): void {
    const byteCount = this.#partialBytes + end - start;
    if (this.#frameBytes + byteCount > frameBytesMax)
      throw new UpstreamError('frame_too_large', 'after_first_byte');
    if (byteCount > this.#partial.length) {
      const grown = Buffer.allocUnsafe(Math.min(byteCount * 2, frameBytesMax));
      this.#partial.copy(grown, 0, 0, this.#partialBytes);
      this.#partial = grown;
    }
    chunk.copy(this.#partial, this.#partialBytes, start, end);
    this.#partialBytes = byteCount;
  }
}
