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
  /** Returns the events that this chunk completes. Throws `frame_too_large` when one exceeds 1 MiB. */
  feed(chunk: Buffer): FramedEvent[];
  /** Returns the events that the end of the stream completes. */
  end(): FramedEvent[];
}

export const frameBytesMax = 1024 * 1024;
