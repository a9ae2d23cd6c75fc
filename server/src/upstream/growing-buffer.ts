const empty = Buffer.alloc(0);
const firstCapacity = 4 * 1024;
/** Maximum capacity retained when the buffer is cleared. Larger memory is released. */
const keptCapacity = 64 * 1024;

/**
 * A single allocation contains all bytes, since each small Buffer takes much more memory than its bytes. Doubling the
 * capacity copies every byte a constant number of times.
 */
export class GrowingBuffer {
  #bytes = empty;
  #length = 0;

  get length(): number {
    return this.#length;
  }

  get capacity(): number {
    return this.#bytes.length;
  }

  append(source: Buffer, start = 0, end = source.length): void {
    const length = this.#length + end - start;
    if (length > this.#bytes.length) {
      const grown = Buffer.allocUnsafeSlow(Math.max(firstCapacity, 2 ** Math.ceil(Math.log2(length))));
      this.#bytes.copy(grown, 0, 0, this.#length);
      this.#bytes = grown;
    }
    source.copy(this.#bytes, this.#length, start, end);
    this.#length = length;
  }

  toString(start: number, end: number): string {
    return this.#bytes.toString('utf8', start, end);
  }

  /** Returns a copy of all bytes and clears the buffer. */
  take(): Buffer {
    const taken = Buffer.from(this.#bytes.subarray(0, this.#length));
    this.clear();
    return taken;
  }

  clear(): void {
    this.#length = 0;
    if (this.#bytes.length > keptCapacity) this.#bytes = empty;
  }
}
