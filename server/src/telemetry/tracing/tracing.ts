import type { IncomingHttpHeaders } from 'node:http';
import type { ProviderCall } from '#gateway/exchange.ts';
import type { RequestRecord } from '#gateway/request-log/request-record.ts';

/** Tells of requests as spans: one for each, and one for each call to a provider. */
export interface Tracing {
  record(record: RequestRecord, calls: readonly ProviderCall[], headers: IncomingHttpHeaders): void;
  /** Spans that found no room, or that nobody took. */
  droppedSpans(): number;
  /** Sends what waits, for a few seconds at most. */
  close(): Promise<void>;
}
