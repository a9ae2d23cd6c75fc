/** Instructions for the clients of the streams. */
export interface StreamOrder {
  url: string;
  headers: Record<string, string>;
  streams: number;
  eventsPerSecond: number;
  seconds: number;
}

/** How long events took from the provider to the client. */
export interface StreamResult {
  events: number;
  p50Ms: number;
  p99Ms: number;
}

export type StreamReply = { result: StreamResult } | { failure: string };

/** Model of the provider of the streams. */
export const streamModel = 'benchmark-stream';
