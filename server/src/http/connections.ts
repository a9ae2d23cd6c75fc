import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** The connections of a server that listens nowhere itself. */
export interface Connections {
  add(connection: Socket): void;
  /** Ends each connection once it has no request in hand; resolves when all are gone. */
  drain(): Promise<void>;
  /** Ends what is still open. */
  destroyAll(): void;
}

/** A caller who has connected and not yet asked has so long to do it while the server drains. */
const firstRequestMs = 1_000;

/** Node's own `close` leaves open what falls idle later, and what has never asked. */
export function createConnections(server: Server): Connections {
  const requestsInHand = new Map<Socket, number>();
  const hasAsked = new WeakSet<Socket>();
  const allGone = Promise.withResolvers<void>();
  let isDraining = false;

  const count = (socket: Socket, change: number) => {
    const inHand = (requestsInHand.get(socket) ?? 0) + change;
    if (requestsInHand.has(socket)) requestsInHand.set(socket, inHand);
    if (isDraining && inHand === 0) socket.destroySoon();
  };
  const note = ({ socket }: IncomingMessage, response: ServerResponse) => {
    hasAsked.add(socket);
    count(socket, 1);
    response.once('close', () => count(socket, -1));
  };
  server.on('request', note).on('checkExpectation', note);

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
    async drain() {
      isDraining = true;
      const endIdle = (isIdle: (socket: Socket) => boolean) => {
        for (const [socket, inHand] of requestsInHand)
          if (inHand === 0 && isIdle(socket)) socket.destroySoon();
      };
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
