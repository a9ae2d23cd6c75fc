import {
  encodeFrame,
  FRAME_HEADER_BYTES,
  type Frame,
  MAX_PAYLOAD_BYTES,
  type StoredRecord,
} from '#gateway/journal/frame.ts';

/** Records encoded as they come, to be written together. */
export class Staging<Admitted extends object, Settled extends object> {
  #buffer: Buffer;
  #usedBytes = 0;
  #frames: Frame<Admitted, Settled>[] = [];

  constructor(bytes: number) {
    this.#buffer = Buffer.allocUnsafe(bytes);
  }

  /** False when there is no room before `empty`; a record larger than the whole buffer makes it grow. */
  add(record: StoredRecord<Admitted, Settled>): boolean {
    const payload = JSON.stringify(record);
    const payloadBytes = Buffer.byteLength(payload);
    if (payloadBytes > MAX_PAYLOAD_BYTES)
      throw new RangeError(`a record of ${payloadBytes} bytes is too large`);
    const bytes = FRAME_HEADER_BYTES + payloadBytes;
    if (this.#usedBytes + bytes > this.#buffer.length) {
      if (this.#frames.length > 0) return false;
      this.#buffer = Buffer.allocUnsafe(bytes);
    }
    this.#usedBytes = encodeFrame(this.#buffer, this.#usedBytes, payload);
    this.#frames.push({ record, bytes });
    return true;
  }

  /** Hands out what was added; the bytes are good until the next `add`. */
  empty(): { bytes: Buffer; frames: Frame<Admitted, Settled>[] } {
    const taken = { bytes: this.#buffer.subarray(0, this.#usedBytes), frames: this.#frames };
    this.#usedBytes = 0;
    this.#frames = [];
    return taken;
  }
}
