import { GrowingBuffer } from './growing-buffer.ts';
import { type FramedEvent, frameBytesMax, type StreamSplitter } from './sse.ts';
import { UpstreamError } from './upstream-error.ts';

const lineFeed = 0x0a;

/** Splits a stream of newline-delimited JSON that arrives in arbitrary chunks. */
export class NdjsonSplitter implements StreamSplitter {
  readonly #line = new GrowingBuffer();

  get heldBytes(): number {
    return this.#line.capacity;
  }

  feed(chunk: Buffer): FramedEvent[] {
    const events: FramedEvent[] = [];
    let start = 0;
    for (let end = chunk.indexOf(lineFeed); end !== -1; end = chunk.indexOf(lineFeed, start)) {
      this.#keep(chunk, start, end + 1);
      events.push(...this.end());
      start = end + 1;
    }
    if (start < chunk.length) this.#keep(chunk, start, chunk.length);
    return events;
  }

  /** Returns the last line, which may lack a line feed. */
  end(): FramedEvent[] {
    const raw = this.#line.take();
    const data = raw.toString('utf8').trim();
    return data === '' ? [] : [{ event: 'message', data, raw }];
  }

  #keep(chunk: Buffer, start: number, end: number): void {
    if (this.#line.length + end - start > frameBytesMax)
      throw new UpstreamError('frame_too_large', 'after_first_byte');
    this.#line.append(chunk, start, end);
  }
}
