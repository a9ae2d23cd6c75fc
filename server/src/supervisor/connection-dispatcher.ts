import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { explainListenError } from './listen-address.ts';
import { createWaitingConnections } from './waiting-connections.ts';

/** Who answers connections. */
export interface ConnectionReceiver {
  /** Whether the receiver has taken the connection; false when it drains or has ended. Called once at a time. */
  take(connection: Socket): Promise<boolean>;
}

/**
 * The address that callers connect to. Connections wait here, unread, while nobody can take them.
 */
export interface ConnectionDispatcher {
  port: number;
  /** From now on the receiver gets connections in its turn, until it refuses one. */
  add(receiver: ConnectionReceiver): void;
  /** Whether all receivers have more to do than they can: then nobody waits here for long. */
  noteOverload(isOverloaded: boolean): void;
  /** How many connections were not handed to a receiver for too much to do. */
  countShed(): number;
  /** False once the socket is closed, by whatever. */
  isListening(): boolean;
  /** Takes no more connections and ends those that still wait. */
  close(): void;
}

interface Options {
  host: string;
  port: number;
  maxWaiting?: number;
  maxWaitMs?: number;
  /** Answers connections until there is a receiver; without it they wait. */
  answerStarting?: ((connection: Socket) => void) | null;
  /** Answers connections that find no place to wait, or have waited too long; without it they are closed. */
  answerOverflow?: (connection: Socket) => void;
}

const defaultMaxWaiting = 1_024;
const defaultMaxWaitMs = 10_000;
/** A receiver takes one connection in each turn of its event loop, and under overload its turns are long. */
const overloadedWaitMs = 50;

/**
 * Listens, at a free port for 0. Not `node:cluster`: it keeps a connection for ever that its worker was killed over,
 * and refuses new ones while no worker lives.
 */
export async function openDispatcher(options: Options): Promise<ConnectionDispatcher> {
  const { maxWaiting = defaultMaxWaiting, maxWaitMs = defaultMaxWaitMs, answerOverflow = close } = options;
  const free: ConnectionReceiver[] = [];
  let answer = options.answerStarting ?? null;
  const shed = countCalls(answerOverflow);
  const waiting = createWaitingConnections(maxWaitMs, shed.call);

  const serve = async (receiver: ConnectionReceiver) => {
    for (let next = waiting.takeFirst(); next !== null; next = waiting.takeFirst()) {
      const [connection, sinceMs] = next;
      if (!(await offer(connection, receiver, maxWaitMs))) {
        if (!connection.destroyed) wait(connection, sinceMs);
        return;
      }
    }
    free.push(receiver);
  };
  const wait = (connection: Socket, sinceMs: number) => {
    if (!server.listening) return void connection.destroy();
    waiting.add(connection, sinceMs);
    const receiver = free.shift();
    if (receiver) void serve(receiver);
  };

  const server = createServer({ pauseOnConnect: true, noDelay: true }, (connection) => {
    connection.on('error', () => undefined);
    if (answer) return answer(connection);
    if (waiting.count() >= maxWaiting) return shed.call(connection);
    wait(connection, performance.now());
  });
  return {
    port: await listen(server, options),
    add(receiver) {
      answer = null;
      void serve(receiver);
    },
    noteOverload: (isOverloaded) => waiting.limit(isOverloaded ? overloadedWaitMs : maxWaitMs),
    countShed: shed.count,
    isListening: () => server.listening,
    close() {
      server.close();
      waiting.close();
    },
  };
}

/** What is offered to a receiver is the receiver's to answer; here it is only closed after a time. */
async function offer(connection: Socket, receiver: ConnectionReceiver, maxWaitMs: number): Promise<boolean> {
  const deadline = setTimeout(close, maxWaitMs, connection);
  const isTaken = await receiver.take(connection);
  clearTimeout(deadline);
  // The receiver has its own hold on it; ours is all that ends here.
  if (isTaken) connection.destroy();
  return isTaken;
}

function countCalls(answer: (connection: Socket) => void) {
  let calls = 0;
  return {
    count: () => calls,
    call(connection: Socket): void {
      calls++;
      answer(connection);
    },
  };
}

const close = (connection: Socket) => void connection.destroy();

/** Resolves with the port. */
async function listen(server: Server, { host, port }: Pick<Options, 'host' | 'port'>): Promise<number> {
  try {
    await once(server.listen({ host, port }), 'listening');
  } catch (error) {
    throw explainListenError(error, { host, port });
  }
  server.on('error', () => undefined);
  const address = server.address();
  return address !== null && typeof address === 'object' ? address.port : port;
}
