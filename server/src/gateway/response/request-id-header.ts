import type { ServerResponse } from 'node:http';
import type { CallerProtocol } from '../routes.ts';

/** Our id of a request, under the names by which clients look for it. */
export function setRequestIdHeader(
  response: ServerResponse,
  protocol: CallerProtocol,
  requestId: string,
): void {
  response.setHeader('x-request-id', requestId);
  if (protocol.id === 'anthropic-messages') response.setHeader('request-id', requestId);
}
