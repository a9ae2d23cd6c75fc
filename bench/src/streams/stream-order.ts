/** What the clients of the streams are to do. */
export interface StreamOrder {
  url: string;
  headers: Record<string, string>;
  streams: number;
  eventsPerSecond: number;
  seconds: number;
}

/** How long events were on their way from the provider to the client. */
export interface StreamResult {
  events: number;
  p50Ms: number;
  p99Ms: number;
}

export type StreamReply = { result: StreamResult } | { failure: string };

/** The model that the provider of the streams has. */
export const streamModel = 'benchmark-stream';
