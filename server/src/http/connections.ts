import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** The connections of a server that listens nowhere itself. */
export interface Connections {
  add(connection: Socket): void;
  /** From now on each answer ends its connection, and says so where that can still be said. */
  closeAfterAnswers(): void;
  /** Ends each connection once it has no request in hand; resolves when all are gone. */
  drain(): Promise<void>;
  /** Ends what is still open. */
  destroyAll(): void;
}

/** A caller who has connected and not yet asked has so long to do it while the server drains. */
const firstRequestMs = 1_000;

/** What is being answered, so that it can be told that its connection ends with it. */
function createOpenAnswers() {
  const open = new Set<ServerResponse>();
  let isEnding = false;
  return {
    add(response: ServerResponse, onClose: () => void): void {
      if (isEnding) response.shouldKeepAlive = false;
      open.add(response);
      response.once('close', () => {
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

/** Node's own `close` leaves open what falls idle later, and what has never asked. */
export function createConnections(server: Server): Connections {
  const requestsInHand = new Map<Socket, number>();
  const hasAsked = new WeakSet<Socket>();
  const allGone = Promise.withResolvers<void>();
  const answers = createOpenAnswers();
  let isDraining = false;

  const count = (socket: Socket, change: number) => {
    const inHand = (requestsInHand.get(socket) ?? 0) + change;
    if (requestsInHand.has(socket)) requestsInHand.set(socket, inHand);
    if (isDraining && inHand === 0) socket.destroySoon();
  };
  const endIdle = (isIdle: (socket: Socket) => boolean) => {
    for (const [socket, inHand] of requestsInHand) if (inHand === 0 && isIdle(socket)) socket.destroySoon();
  };
  const note = ({ socket }: IncomingMessage, response: ServerResponse) => {
    hasAsked.add(socket);
    count(socket, 1);
    answers.add(response, () => count(socket, -1));
  };
  // First, before anything is answered.
  server.prependListener('request', note).prependListener('checkExpectation', note);

  return {
    add(connection) {
      requestsInHand.set(connection, 0);
      connection.once('close', () => {
        requestsInHand.delete(connection);
        if (isDraining && requestsInHand.size === 0) allGone.resolve();
      });
      // As on the sockets that a listening server of this kind makes.
      connection.allowHalfOpen = true;
      server.emit('connection', connection);
    },
    closeAfterAnswers: answers.endConnections,
    async drain() {
      answers.endConnections();
      isDraining = true;
      endIdle((socket) => hasAsked.has(socket));
      const timer = setTimeout(endIdle, firstRequestMs, () => true);
      if (requestsInHand.size > 0) await allGone.promise;
      clearTimeout(timer);
      server.close();
    },
    destroyAll() {
      for (const socket of requestsInHand.keys()) socket.destroy();
    },
  };
}
