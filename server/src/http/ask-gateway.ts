import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { type Duplex, duplexPair } from 'node:stream';

export interface GatewayRequest {
  readonly path: string;
  /** The request is a POST with a body and a GET without one. */
  readonly body?: object;
  readonly clientRequestId: string;
  readonly signal: AbortSignal;
}

/** Uses the caller's credentials, so that all limits of external clients apply. Resolves with the response head. */
export type AskGateway = (asked: GatewayRequest) => Promise<IncomingMessage>;

type GatewayHandler = (request: IncomingMessage, response: ServerResponse) => boolean;

/** Requests are sent in memory instead of through a port. */
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
  // The peer is this process, so timeouts for slow clients are not needed. An in-memory socket pair does not
  // implement timeouts.
  server.emit('connection', Object.assign(far, { setTimeout: () => far }));
  return near;
}
