import { randomUUIDv7 } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Received } from '../exchange.ts';
import { startRecord } from '../request-record.ts';
import { tellRequestId } from '../response/tell-request-id.ts';
import type { RouteMatch } from '../routes.ts';

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
