import type { ServerResponse } from 'node:http';
import type { ErrorCode } from '@sluice/contract';
import { classifyDatabaseFailure, type DatabaseFailure } from '#db/database-failure.ts';
import { GatewayError } from '#errors/gateway-error.ts';
import type { ErrorFacts } from '#protocols/protocol.ts';
import type { Received } from '../exchange.ts';
import type { CallerProtocol } from '../routes.ts';

const jsonType = 'application/json; charset=utf-8';

export function sendJson(
  { head, response }: Pick<Received, 'head' | 'response'>,
  status: number,
  body: Buffer,
): void {
  head.set('content-length', String(body.length));
  head.send(status, jsonType);
  response.end(body);
}

/** Maximum wait for which client libraries may retry on their own. After a longer wait, the caller should decide. */
const retryWorthMs = 60_000;

/** Time during which the rest of a rejected body is read and discarded. */
const lingerMs = 2_000;

/** Call only if nothing has been sent. */
export function answerError(
  { head, response }: Pick<Received, 'head' | 'response'>,
  { caller }: CallerProtocol,
  error: GatewayError,
  requestId: string,
): void {
  const body = Buffer.from(JSON.stringify(caller.encodeError(toErrorFacts(error), requestId)));
  const { code, retryAfterMs = 0 } = error;
  if (error.retryAfterMs !== undefined) head.set('retry-after', String(Math.ceil(retryAfterMs / 1000)));
  if (retryAfterMs > retryWorthMs || code === 'request_loop') head.set('x-should-retry', 'false');
  if (!closing.has(code)) {
    sendJson({ head, response }, error.status, body);
    return;
  }
  head.set('connection', 'close');
  head.set('content-length', String(body.length));
  head.send(error.status, jsonType);
  response.write(body);
  endOnceSent(response);
}

// Errors that close the connection, so that the unread rest of the body is never parsed as the next request.
const closing: ReadonlySet<ErrorCode> = new Set([
  'body_too_large',
  'unsupported_media_type',
  'body_budget_exceeded',
  'draining',
]);

/** Closing while the caller is still sending would reset the connection and lose the response. */
function endOnceSent(response: ServerResponse): void {
  const end = () => {
    clearTimeout(timer);
    response.end();
  };
  const timer = setTimeout(end, lingerMs);
  response.once('close', end);
  response.req.once('end', end).resume();
}

export function toErrorFacts(error: GatewayError): ErrorFacts {
  const { code, status, message, param, providerCode, overflow, retryAfterMs, tasks } = error;
  return { code, status, message, param, providerCode, overflow, retryAfterMs, ...(tasks && { tasks }) };
}

/**
 * Maps database failures to their own errors, and anything else that is not a GatewayError to an internal error
 * without details.
 */
export function toGatewayError(error: unknown): GatewayError {
  if (error instanceof GatewayError) return error;
  const failure = classifyDatabaseFailure(error);
  if (failure) return databaseErrors[failure](error);
  return new GatewayError(
    'internal_error',
    'The gateway failed because of an internal error. Give your administrator the request id.',
    { cause: error },
  );
}

const databaseErrors: Readonly<Record<DatabaseFailure, (cause: unknown) => GatewayError>> = {
  share_full: (cause) =>
    new GatewayError(
      'too_many_at_once',
      'Too many of your requests are waiting. Send fewer requests at the same time, then retry.',
      { retryAfterMs: 2_000, cause },
    ),
  busy: (cause) =>
    new GatewayError('overloaded', 'This node is at capacity. Please retry.', {
      retryAfterMs: 2_000,
      cause,
    }),
  away: databaseAwayError,
  too_slow: databaseAwayError,
};

function databaseAwayError(cause: unknown): GatewayError {
  return new GatewayError('not_ready', 'The database cannot be reached at the moment. Please retry.', {
    retryAfterMs: 1_000,
    cause,
  });
}
