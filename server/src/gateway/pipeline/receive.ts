import { randomUUIDv7 } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type RequestRecord, startRecord } from '../request-record.ts';
import { tellRequestId } from '../response/tell-request-id.ts';
import type { PublicRoute, RouteMatch } from '../routes.ts';

/** A request that has arrived: our id, its log row in the making, and a signal for the caller's departure. */
export interface Received {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly route: PublicRoute;
  /** What the path names, such as a model. */
  readonly parameter: string | null;
  readonly record: RequestRecord;
  /** What of its body the row will hold: it joins the record at the end, since an admission is journaled without it. */
  keptBody: string | null;
  /** Monotonic milliseconds at receipt, for durations. */
  readonly startedMs: number;
  /**
   * Aborts when the caller's connection closes before the answer is complete, or when their access is withdrawn: then
   * its reason is the error to tell them (`findWithdrawal`).
   */
  readonly departure: AbortSignal;
  /** What aborts it. */
  readonly departing: AbortController;
}

const clientRequestIdPattern = /^[\x21-\x7e]{1,128}$/;

/** Stage 1: gives the request its id; the client's own `x-request-id` is kept beside it. */
export function receive(
  request: IncomingMessage,
  response: ServerResponse,
  { route, parameter }: Extract<RouteMatch, { kind: 'route' }>,
): Received {
  const clientRequestId = request.headers['x-request-id'];
  const record = startRecord({
    id: randomUUIDv7(),
    clientRequestId:
      typeof clientRequestId === 'string' && clientRequestIdPattern.test(clientRequestId)
        ? clientRequestId
        : null,
    receivedAtMs: Date.now(),
    protocol: route.protocol.id,
    operation: route.operation,
  });
  const departing = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) departing.abort();
  });
  tellRequestId(response, route.protocol, record.id);
  const startedMs = performance.now();
  const { signal: departure } = departing;
  return { request, response, route, parameter, record, keptBody: null, startedMs, departure, departing };
}
