import type { IncomingHttpHeaders } from 'node:http';
import type { ProviderCall } from '#gateway/exchange.ts';
import type { RequestRecord } from '#gateway/request-log/request-record.ts';

export interface Tracing {
  record(record: RequestRecord, calls: readonly ProviderCall[], headers: IncomingHttpHeaders): void;
  /** Returns the number of spans dropped because the queue was full or the receiver rejected them. */
  droppedSpans(): number;
  /** Sends the remaining spans. Takes a few seconds at most. */
  close(): Promise<void>;
}
