import { randomUUIDv7 } from 'node:crypto';
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import type { Duplex } from 'node:stream';
import { findRepeated, listUniqueHeaders } from '#domain/repeated-header.ts';

/** Responses have no timeout, since streams can be long. */
export interface ServerTimeouts {
  readonly headersTimeout: number;
  /** Milliseconds until the whole request, including its body, must have arrived. */
  readonly requestTimeout: number;
  readonly keepAliveTimeout: number;
  readonly connectionsCheckingInterval: number;
}

// The check interval is short, since closing hundreds of connections together would block all others.
export const defaultTimeouts: ServerTimeouts = {
  headersTimeout: 10_000,
  requestTimeout: 60_000,
  keepAliveTimeout: 60_000,
  connectionsCheckingInterval: 250,
};

/** Rejects requests that two servers could interpret differently. */
export function createNodeServer(
  answer: RequestListener,
  timeouts: ServerTimeouts,
  headers: Readonly<Record<string, string>>,
): Server {
  const answersBySocket = new WeakMap<Duplex, ServerResponse[]>();
  const listener: RequestListener = (request, response) => {
    const open = answersBySocket.get(request.socket)?.filter(isOpen);
    answersBySocket.set(request.socket, open ? [...open, response] : [response]);
    if (isAmbiguous(request)) {
      const { head, body } = createRefusal(400, headers);
      response.writeHead(400, head).end(body);
      return;
    }
    request.url = originForm(request.url ?? '/');
    answer(request, response);
  };
  // Node's host check responds without Sluice's headers, so isAmbiguous checks the host.
  const server = createServer({ ...timeouts, requireHostHeader: false }, listener);
  // An unknown expectation may be ignored (RFC 9110, section 10.1.1).
  server.on('checkExpectation', listener);
  server.on('clientError', (error, socket) => {
    const [first, ...others] = answersBySocket.get(socket)?.filter(isOpen) ?? [];
    // Ignores bytes after a request that closes the connection, but sends the response to the request.
    if (first && codeOf(error) === 'HPE_CLOSED_CONNECTION') return;
    // Sends the error only if it cannot become part of a response or appear as the response to another request.
    const isNext = !first || (others.length === 0 && !first.headersSent && !first.req.complete);
    if (socket.writable && isNext) socket.write(formatRefusal(statusOf(error), headers));
    socket.destroy();
  });
  return server;
}

const isOpen = ({ writableFinished }: ServerResponse) => !writableFinished;

const host = listUniqueHeaders(['host']);

/**
 * True for HTTP/1.1 without a host, for several hosts, and for a chunked HTTP/1.0 message, which some proxies treat
 * as a message without a body.
 */
function isAmbiguous({ headers, httpVersionMinor, rawHeaders }: IncomingMessage): boolean {
  if (findRepeated(rawHeaders, host)) return true;
  return httpVersionMinor === 0 ? headers['transfer-encoding'] !== undefined : headers.host === undefined;
}

/** Every server must accept a target in absolute form (RFC 9112, section 3.2.2). */
function originForm(target: string): string {
  if (target.startsWith('/')) return target;
  const path = target.replace(/^https?:\/\/[^/?#]*/i, '');
  return path.startsWith('/') || target === '*' ? path : `/${path}`;
}

const details: Record<number, string> = {
  400: 'This is not a valid HTTP request.',
  408: 'The request did not arrive in time.',
  413: 'The chunk extensions of the request are too large.',
  431: 'The headers are too large.',
};

function statusOf(error: Error): number {
  const code = codeOf(error);
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return 408;
  if (code === 'HPE_HEADER_OVERFLOW') return 431;
  return code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW' ? 413 : 400;
}

function codeOf(error: Error): unknown {
  return 'code' in error ? error.code : undefined;
}

function createRefusal(status: number, headers: Readonly<Record<string, string>>) {
  const body = JSON.stringify({ detail: details[status] });
  const head = {
    ...headers,
    'x-request-id': randomUUIDv7(),
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  };
  return { head, body };
}

function formatRefusal(status: number, headers: Readonly<Record<string, string>>): string {
  const { head, body } = createRefusal(status, headers);
  const lines = Object.entries(head).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`;
}
