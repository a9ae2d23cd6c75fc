export interface StreamOrder {
  url: string;
  headers: Record<string, string>;
  streams: number;
  eventsPerSecond: number;
  seconds: number;
}

export interface StreamResult {
  events: number;
  p50Ms: number;
  p99Ms: number;
}

export type StreamReply = { result: StreamResult } | { failure: string };

export const streamModel = 'benchmark-stream';
