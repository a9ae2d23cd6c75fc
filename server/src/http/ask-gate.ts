import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { type Duplex, duplexPair } from 'node:stream';

/** A request to the public surface from inside the process. */
export interface GateRequest {
  /** Such as `/api/v1/chat/completions`. */
  readonly path: string;
  /** A GET has none, every other request is a POST. */
  readonly body?: object;
  /** Kept beside the gate's own id on the row in the log. */
  readonly clientRequestId: string;
  /** Ends it as a caller that disconnects does. */
  readonly signal: AbortSignal;
}

/**
 * Sends a request to the gate as the person whose call it is, with their own credentials: whatever binds a caller from
 * outside (limits, credits, task, score, log, withdrawn access) binds it. Resolves with the answer's head.
 */
export type AskGate = (asked: GateRequest) => Promise<IncomingMessage>;

type Gate = (request: IncomingMessage, response: ServerResponse) => boolean;

/** Answers by the value of a call's Authorization header how to ask the gate; the requests go through memory, not a port. */
export function createAskGate(gate: Gate): (authorization: string) => AskGate {
  const server = createServer({ requireHostHeader: false }, (incoming, response) => {
    if (!gate(incoming, response)) response.writeHead(404).end();
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
  // What reads here is this program itself, so that no reader is slow; a pair in memory has no such timer.
  server.emit('connection', Object.assign(far, { setTimeout: () => far }));
  return near;
}
