import { randomUUIDv7 } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { timeOfId } from '#domain/request-log/request-id.ts';
import type { AnswerHead } from '../answer-head.ts';
import type { AllResults, Ended, Received } from '../exchange.ts';
import { RequestAbort } from '../request-abort.ts';
import { setRequestIdHeader } from '../response/headers.ts';
import type { RouteMatch } from '../routes.ts';

const clientRequestIdPattern = /^[\x21-\x7e]{1,128}$/;

/** Stage 1: assigns the request id. The client's own `x-request-id` is kept as well. */
export function receive(
  request: IncomingMessage,
  response: ServerResponse,
  head: AnswerHead,
  match: Extract<RouteMatch, { kind: 'route' }>,
): Ended {
  const id = randomUUIDv7();
  const abort = createAbort(response);
  setRequestIdHeader(head, match.route.protocol, id);
  // Every field is initialized, so that all exchanges share one hidden class in V8.
  return {
    id,
    clientRequestId: readClientRequestId(request),
    // Timestamp of the id, so that finding a row by id or by time gives the same result.
    receivedAtMs: timeOfId(id),
    startedMs: performance.now(),
    request,
    response,
    head,
    route: match.route,
    parameter: match.parameter,
    isShort: match.isShort,
    abort,
    principal: null,
    address: null,
    bodyHold: null,
    work: null,
    body: null,
    completion: null,
    summary: null,
    task: null,
    taskLimit: null,
    labelsUnder: null,
    targets: null,
    judgment: null,
    attempts: null,
    affordable: null,
    prices: null,
    firstTarget: null,
    hold: null,
    likelyInputTokens: null,
    outputCap: null,
    calls: null,
    attempt: null,
    upstream: null,
    answer: null,
    charge: null,
    counted: null,
  } satisfies Received & { readonly [Key in keyof AllResults]: null };
}

function createAbort(response: ServerResponse): RequestAbort {
  const abort = new RequestAbort();
  // A named listener uses half the memory of `once`. The listener is removed because the abort reason may reference
  // the response's buffers.
  const noteClosed = () => {
    response.off('close', noteClosed);
    if (!response.writableFinished) abort.leave();
  };
  response.on('close', noteClosed);
  return abort;
}

function readClientRequestId({ headers }: IncomingMessage): string | null {
  const given = headers['x-request-id'];
  return typeof given === 'string' && clientRequestIdPattern.test(given) ? given : null;
}
