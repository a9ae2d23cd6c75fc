import { type FramedEvent, frameBytesMax, keptPartialMax, type StreamSplitter } from '#upstream/sse.ts';
import { UpstreamError } from '#upstream/upstream-error.ts';

const lineFeed = 0x0a;

/** Splits a stream of newline-delimited JSON that arrives in arbitrary chunks. */
export class NdjsonSplitter implements StreamSplitter {
  #partial = Buffer.alloc(0);
  #partialBytes = 0;

  feed(chunk: Buffer): FramedEvent[] {
    const events: FramedEvent[] = [];
    let start = 0;
    for (let end = chunk.indexOf(lineFeed); end !== -1; end = chunk.indexOf(lineFeed, start)) {
      this.#keep(chunk.subarray(start, end + 1));
      events.push(...this.end());
      start = end + 1;
    }
    if (start < chunk.length) this.#keep(chunk.subarray(start));
    return events;
  }

  /** The last line needs no line feed. */
  end(): FramedEvent[] {
    const raw = Buffer.from(this.#partial.subarray(0, this.#partialBytes));
    this.#partialBytes = 0;
    if (this.#partial.length > keptPartialMax) this.#partial = Buffer.alloc(0);
    const data = raw.toString('utf8').trim();
    return data === '' ? [] : [{ event: 'message', data, raw }];
  }

  #keep(bytes: Buffer): void {
    const byteCount = this.#partialBytes + bytes.length;
    if (byteCount > frameBytesMax) throw new UpstreamError('frame_too_large', 'after_first_byte');
    if (byteCount > this.#partial.length) {
      const grown = Buffer.allocUnsafe(Math.min(byteCount * 2, frameBytesMax));
      this.#partial.copy(grown, 0, 0, this.#partialBytes);
      this.#partial = grown;
    }
    bytes.copy(this.#partial, this.#partialBytes);
    this.#partialBytes = byteCount;
  }
}
