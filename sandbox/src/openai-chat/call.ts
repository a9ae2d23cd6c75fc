import type { IncomingMessage, ServerResponse } from 'node:http';
import { encodeError, type WireError } from './errors.ts';

/** One request on its way through the OpenAI endpoints. */
export type Call = {
  request: IncomingMessage;
  response: ServerResponse;
  /** unique within this sandbox; ids are made of it */
  id: string;
  startedAt: number;
};

/** OpenAI's headers of every response, as name, value, name, value. */
export function responseHeaders({ id, startedAt }: Call): string[] {
  return ['x-request-id', `req_${id}`, 'openai-processing-ms', String(Date.now() - startedAt)];
}

export function sendJson(call: Call, status: number, json: string, headers: string[] = []): void {
  const entity = ['content-type', 'application/json', 'content-length', String(Buffer.byteLength(json))];
  call.response.writeHead(status, [...responseHeaders(call), ...headers, ...entity]);
  call.response.end(json);
}

export function sendError(call: Call, error: WireError): void {
  sendJson(call, error.status, encodeError(error), error.headers);
}
