/** One event or line of a provider's stream. */
export interface FramedEvent {
  /** `message` when the stream gives no name. */
  event: string;
  data: string;
  /** The bytes it came as, to the end of its frame. */
  raw: Buffer;
}

/** Cuts a stream that arrives in pieces of any size into its events. */
export interface StreamSplitter {
  /** The events that this chunk completes. Throws `frame_too_large` when one grows beyond 1 MiB. */
  feed(chunk: Buffer): FramedEvent[];
  /** What the end of the stream completes. */
  end(): FramedEvent[];
}

export const frameBytesMax = 1024 * 1024;
