import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Connections of a server that does not listen itself. */
export interface Connections {
  add(connection: Socket): void;
  /** Closes each connection after its current response, with `Connection: close` if the headers are not sent yet. */
  closeAfterAnswers(): void;
  /** Closes each connection once it has no running request; resolves when all are closed. */
  drain(): Promise<void>;
  /** Destroys all open connections. */
  destroyAll(): void;
}

/** Maximum wait for the first request of an open connection while draining. */
const firstRequestMs = 1_000;

/** Tracks running responses, so that they can announce that their connection closes. */
function createOpenAnswers() {
  const open = new Set<ServerResponse>();
  let isEnding = false;
  return {
    add(response: ServerResponse, onClose: () => void): void {
      if (isEnding) response.shouldKeepAlive = false;
      open.add(response);
      // The event is emitted once; `once` would allocate a wrapper of the listener for each request.
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
  // Registered first, before any response starts.
  server.prependListener('request', note).prependListener('checkExpectation', note);

  return {
    add(connection) {
      runningRequests.set(connection, 0);
      connection.once('close', () => {
        runningRequests.delete(connection);
        if (isDraining && runningRequests.size === 0) allGone.resolve();
      });
      // Matches the sockets that a listening server creates.
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
