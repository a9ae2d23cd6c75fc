import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { type Duplex, duplexPair } from 'node:stream';

/** A request to the public API from inside this process. */
export interface GatewayRequest {
  /** For example `/api/v1/chat/completions`. */
  readonly path: string;
  /** Sent with POST; if absent, the request is a GET. */
  readonly body?: object;
  /** Stored in the log row in addition to the gateway's own id. */
  readonly clientRequestId: string;
  /** Aborts the request like a client disconnect. */
  readonly signal: AbortSignal;
}

/**
 * Sends a request to the gateway with the caller's credentials, so that all limits of external clients apply. Resolves
 * with the response head.
 */
export type AskGateway = (asked: GatewayRequest) => Promise<IncomingMessage>;

type GatewayHandler = (request: IncomingMessage, response: ServerResponse) => boolean;

/**
 * Returns a function that creates a gateway client for an Authorization header; requests go through memory, not a port.
 */
export function createAskGateway(gatewayHandler: GatewayHandler): (authorization: string) => AskGateway {
  const server = createServer({ requireHostHeader: false }, (incoming, response) => {
    if (!gatewayHandler(incoming, response)) response.writeHead(404).end();
  });
  return (authorization) => (asked) => {
    const { path, body, clientRequestId, signal } = asked;
    const headers = {
      authorization,
      'content-type': 'application/json',
      'x-request-id': clientRequestId,
      connection: 'close',
    };
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    request({ method: body ? 'POST' : 'GET', path, headers, signal, createConnection: () => connect(server) })
      .once('response', resolve)
      .once('error', reject)
      .end(body && JSON.stringify(body));
    return promise;
  };
}

function connect(server: ReturnType<typeof createServer>): Duplex {
  const [near, far] = duplexPair();
  near.once('close', () => far.destroy());
  // The peer is this process, so slow-client timeouts are not needed; an in-memory pair does not implement them.
  server.emit('connection', Object.assign(far, { setTimeout: () => far }));
  return near;
}
