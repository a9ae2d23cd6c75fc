import {
  encodeFrame,
  type Frame,
  frameHeaderBytes,
  maxPayloadBytes,
  type StoredRecord,
} from '#gateway/journal/frame.ts';

/** The most that UTF-8 takes for one unit of a string. */
const unitBytesMax = 3;

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
    if (!this.#hasRoomFor(payload)) return false;
    const start = this.#usedBytes;
    this.#usedBytes = encodeFrame(this.#buffer, start, payload);
    this.#frames.push({ record, bytes: this.#usedBytes - start });
    return true;
  }

  /** Makes room where nothing else is staged. Counting a text's bytes costs a third of writing them, so most are not counted. */
  #hasRoomFor(payload: string): boolean {
    const leftBytes = this.#buffer.length - this.#usedBytes - frameHeaderBytes;
    if (payload.length * unitBytesMax <= leftBytes) return true;
    const payloadBytes = Buffer.byteLength(payload);
    if (payloadBytes > maxPayloadBytes)
      throw new RangeError(`a record of ${payloadBytes} bytes is too large`);
    if (payloadBytes <= leftBytes) return true;
    if (this.#frames.length > 0) return false;
    this.#buffer = Buffer.allocUnsafe(frameHeaderBytes + payloadBytes);
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
