import { FRAME_BYTES_MAX, type FramedEvent, type StreamSplitter } from '#upstream/framed-event.ts';
import { UpstreamError } from '#upstream/upstream-error.ts';

const LF = 0x0a;

/** Splits a stream of JSON texts, one a line, that arrives cut at any byte. */
export class NdjsonSplitter implements StreamSplitter {
  #partial: Buffer[] = [];
  #partialBytes = 0;

  feed(chunk: Buffer): FramedEvent[] {
    const events: FramedEvent[] = [];
    let start = 0;
    for (let end = chunk.indexOf(LF); end !== -1; end = chunk.indexOf(LF, start)) {
      this.#hold(chunk.subarray(start, end + 1));
      events.push(...this.end());
      start = end + 1;
    }
    if (start < chunk.length) this.#hold(Buffer.from(chunk.subarray(start)));
    return events;
  }

  /** The last line needs no line feed. */
  end(): FramedEvent[] {
    const raw =
      this.#partial.length === 1 && this.#partial[0] ? this.#partial[0] : Buffer.concat(this.#partial);
    this.#partial = [];
    this.#partialBytes = 0;
    const data = raw.toString('utf8').trim();
    return data === '' ? [] : [{ event: 'message', data, raw }];
  }

  #hold(bytes: Buffer): void {
    this.#partialBytes += bytes.length;
    if (this.#partialBytes > FRAME_BYTES_MAX) throw new UpstreamError('frame_too_large', 'after_first_byte');
    this.#partial.push(bytes);
  }
}
