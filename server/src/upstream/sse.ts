import { GrowingBuffer } from './growing-buffer.ts';
import { UpstreamError } from './upstream-error.ts';

export interface FramedEvent {
  /** `message` if the event has no name. */
  event: string;
  data: string;
  /** Original bytes, including the frame's terminator. */
  raw: Buffer;
}

/** Splits a stream that arrives in chunks of any size into events. */
export interface StreamSplitter {
  /** Throws `frame_too_large` if an event exceeds `frameBytesMax` or `frameLinesMax`. */
  feed(chunk: Buffer): FramedEvent[];
  end(): FramedEvent[];
  /** Memory used by the unfinished event, in bytes. */
  readonly heldBytes: number;
}

/** Equal to the maximum size of a whole response, since an event may contain an image. */
export const frameBytesMax = 32 * 1024 * 1024;
/** Maximum number of lines per event, since each line takes more memory than its bytes. */
export const frameLinesMax = 50_000;
/** Memory that each line's string uses in addition to the line's bytes. */
const lineOverheadBytes = 64;

const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/** Reads events within a chunk in place and copies only an unfinished event, so that no byte is scanned twice. */
export class SseSplitter implements StreamSplitter {
  #event = '';
  #data: string | null = null;
  #frameBytes = 0;
  #frameLines = 0;
  readonly #raw = new GrowingBuffer();
  /** Offset of the unfinished line in `#raw`. */
  #lineStart = 0;
  #isFirstLine = true;
  #endedInCr = false;

  get heldBytes(): number {
    return this.#raw.capacity + this.#frameBytes + this.#frameLines * lineOverheadBytes;
  }

  feed(chunk: Buffer): FramedEvent[] {
    const events: FramedEvent[] = [];
    let rawStart = 0;
    let start = this.#endedInCr && chunk[0] === lineFeed ? 1 : 0;
    let lf = chunk.indexOf(lineFeed, start);
    let cr = chunk.indexOf(carriageReturn, start);
    while (lf !== -1 || cr !== -1) {
      const end = cr === -1 || (lf !== -1 && lf < cr) ? lf : cr;
      const next = end === cr && lf === cr + 1 ? end + 2 : end + 1;
      let isFrameOver: boolean;
      if (this.#lineStart === this.#raw.length)
        isFrameOver = this.#takeLine(chunk.toString('utf8', start, end), end - start);
      else {
        isFrameOver = this.#endPartial(chunk, end, next);
        rawStart = next;
      }
      start = next;
      if (isFrameOver) {
        const event = this.#endFrame(chunk, rawStart, next);
        if (event !== null) events.push(event);
        rawStart = next;
      } else if (this.#frameBytes === 0) {
        // Lines before an event's first field, such as keep-alive comments, are not part of the event.
        this.#clearRaw();
        rawStart = next;
      }
      if (lf !== -1 && lf < start) lf = chunk.indexOf(lineFeed, start);
      if (cr !== -1 && cr < start) cr = chunk.indexOf(carriageReturn, start);
    }
    if (chunk.length > 0) this.#endedInCr = chunk[chunk.length - 1] === carriageReturn;
    if (rawStart < chunk.length) this.#keepRest(chunk, rawStart, start);
    return events;
  }

  /** An event without its terminating blank line is incomplete. */
  end(): FramedEvent[] {
    return [];
  }

  #endPartial(chunk: Buffer, end: number, next: number): boolean {
    const byteCount = this.#raw.length - this.#lineStart + end;
    if (this.#frameBytes + byteCount > frameBytesMax) throw frameTooLargeError();
    this.#raw.append(chunk, 0, next);
    const line = this.#raw.toString(this.#lineStart, this.#lineStart + byteCount);
    this.#lineStart = this.#raw.length;
    return this.#takeLine(line, byteCount);
  }

  /** Returns `true` for the blank line that terminates a frame. */
  #takeLine(read: string, byteCount: number): boolean {
    const line = this.#isFirstLine && read.startsWith('\uFEFF') ? read.slice(1) : read;
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
    if (this.#frameBytes > frameBytesMax || this.#frameLines > frameLinesMax) throw frameTooLargeError();
    const valueStart = colon === -1 ? line.length : colon + (line[colon + 1] === ' ' ? 2 : 1);
    const value = line.slice(valueStart);
    if (name === 'event') this.#event = value;
    else this.#data = this.#data === null ? value : `${this.#data}\n${value}`;
  }

  /** Returns `null` for frames without data, such as keep-alive comments. */
  #endFrame(chunk: Buffer, start: number, end: number): FramedEvent | null {
    const data = this.#data;
    const event =
      data === null ? null : { event: this.#event || 'message', data, raw: this.#endRaw(chunk, start, end) };
    this.#event = '';
    this.#data = null;
    this.#frameBytes = 0;
    this.#frameLines = 0;
    this.#clearRaw();
    return event;
  }

  #endRaw(chunk: Buffer, start: number, end: number): Buffer {
    if (this.#raw.length === 0) return chunk.subarray(start, end);
    this.#raw.append(chunk, start, end);
    return this.#raw.take();
  }

  #clearRaw(): void {
    this.#raw.clear();
    this.#lineStart = 0;
  }

  /** The line starts at `lineStart` unless it started in a previous chunk. */
  #keepRest(chunk: Buffer, start: number, lineStart: number): void {
    const isNewLine = lineStart > 0 || this.#lineStart === this.#raw.length;
    if (isNewLine) this.#lineStart = this.#raw.length + lineStart - start;
    this.#raw.append(chunk, start);
    const lineBytes = this.#raw.length - this.#lineStart;
    if (this.#frameBytes + lineBytes > frameBytesMax || this.#raw.length > 2 * frameBytesMax)
      throw frameTooLargeError();
  }
}

function frameTooLargeError(): UpstreamError {
  return new UpstreamError('frame_too_large', 'after_first_byte');
}
