import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Connections of a server that does not listen. */
export interface Connections {
  add(connection: Socket): void;
  /** Sends `Connection: close` if the headers have not been sent yet. */
  closeAfterAnswers(): void;
  /** Closes each connection once it has no running request. Resolves when all connections are closed. */
  drain(): Promise<void>;
  destroyAll(): void;
}

/** Maximum wait for the first request on an open connection while draining. */
const firstRequestMs = 1_000;

/** Tracks running responses, so that their headers can announce the end of the connection. */
function createOpenAnswers() {
  const open = new Set<ServerResponse>();
  let isEnding = false;
  return {
    add(response: ServerResponse, onClose: () => void): void {
      if (isEnding) response.shouldKeepAlive = false;
      open.add(response);
      // `on` is sufficient because the event is emitted once. `once` would allocate a wrapper for each request.
      response.on('close', () => {
        open.delete(response);
        onClose();
      });
    },
    endConnections(): void {
      isEnding = true;
      for (const response of open) response.shouldKeepAlive = false;
    },
  };
}

/** Node's own `close` leaves connections open that become idle later or never had a request. */
export function createConnections(server: Server): Connections {
  const runningRequests = new Map<Socket, number>();
  const hasAsked = new WeakSet<Socket>();
  const allGone = Promise.withResolvers<void>();
  const answers = createOpenAnswers();
  let isDraining = false;

  const count = (socket: Socket, change: number) => {
    const running = (runningRequests.get(socket) ?? 0) + change;
    if (runningRequests.has(socket)) runningRequests.set(socket, running);
    if (isDraining && running === 0) socket.destroySoon();
  };
  const endIdle = (isIdle: (socket: Socket) => boolean) => {
    for (const [socket, running] of runningRequests)
      if (running === 0 && isIdle(socket)) socket.destroySoon();
  };
  const note = ({ socket }: IncomingMessage, response: ServerResponse) => {
    hasAsked.add(socket);
    count(socket, 1);
    answers.add(response, () => count(socket, -1));
  };
  // The listeners must be the first, before any response starts.
  server.prependListener('request', note).prependListener('checkExpectation', note);

  return {
    add(connection) {
      runningRequests.set(connection, 0);
      connection.once('close', () => {
        runningRequests.delete(connection);
        if (isDraining && runningRequests.size === 0) allGone.resolve();
      });
      // Same as for the sockets of a listening server.
      connection.allowHalfOpen = true;
      server.emit('connection', connection);
    },
    closeAfterAnswers: answers.endConnections,
    async drain() {
      answers.endConnections();
      isDraining = true;
      endIdle((socket) => hasAsked.has(socket));
      const timer = setTimeout(endIdle, firstRequestMs, () => true);
      if (runningRequests.size > 0) await allGone.promise;
      clearTimeout(timer);
      server.close();
    },
    destroyAll() {
      for (const socket of runningRequests.keys()) socket.destroy();
    },
  };
}
