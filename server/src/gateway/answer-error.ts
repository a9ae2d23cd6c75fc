import type { ServerResponse } from 'node:http';
import { GatewayError } from '#errors/gateway-error.ts';
import type { ErrorFacts, Protocol } from '#protocols/protocol.ts';

/** Longer waits than this are not worth a client library's own retry. */
const retryWorthMs = 60_000;

/** Sends an error in the caller's protocol; nothing may have been sent before. */
export function answerError(response: ServerResponse, protocol: Protocol, error: GatewayError): void {
  const body = Buffer.from(JSON.stringify(protocol.encodeError(answerFacts(error))));
  const headers: Record<string, string | number> = {
    'content-type': 'application/json; charset=utf-8',
    'content-length': body.length,
  };
  if (error.retryAfterMs !== undefined) {
    headers['retry-after'] = Math.ceil(error.retryAfterMs / 1000);
    if (error.retryAfterMs > retryWorthMs) headers['x-should-retry'] = 'false';
  }
  // The rest of a refused body is never read as the next request.
  if (error.code === 'body_too_large' || error.code === 'unsupported_media_type')
    headers.connection = 'close';
  response.writeHead(error.status, headers);
  response.end(body);
}

export function answerFacts({ code, status, message, param, providerCode }: GatewayError): ErrorFacts {
  return { code, status, message, param, providerCode };
}

/** Any thrown value as an error for the caller; what is not ours is our own fault and tells nothing. */
export function toGatewayError(error: unknown): GatewayError {
  if (error instanceof GatewayError) return error;
  return new GatewayError(
    'internal_error',
    'Something went wrong in the gate itself. The request id helps to find it.',
    { cause: error },
  );
}
