import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { explainListenError } from './listen-address.ts';

export interface ConnectionReceiver {
  /**
   * Resolves to `false` if the receiver is draining or has ended. Not called again until the promise resolves.
   * `hasMore` is true if other connections are waiting.
   */
  take(connection: Socket, hasMore: boolean): Promise<boolean>;
}

/** Passes each connection to a free receiver. Until one is free, connections wait unread. */
export interface ConnectionDispatcher {
  /**
   * Resolves with the port; port 0 selects a free port. Until then, connections are refused, so load balancers retry
   * them elsewhere.
   */
  open(): Promise<number>;
  add(receiver: ConnectionReceiver): void;
  /** Returns the number of connections rejected because too many waited or they waited too long. */
  countShed(): number;
  isListening(): boolean;
  close(): void;
}

interface Options {
  host: string;
  port: number;
  maxWaiting?: number;
  maxWaitMs?: number;
  /**
   * Called with connections that waited too long or exceed the waiting limit. By default, these connections are
   * closed.
   */
  answerOverflow?: (connection: Socket) => void;
}

const defaultMaxWaiting = 1_024;
const defaultMaxWaitMs = 10_000;
/** The kernel drops further connections, and their clients retry after a second or more. */
const backlog = 4_096;

/**
 * `node:cluster` is not used, since it keeps connections of a killed worker forever and refuses new ones while no
 * worker is running.
 */
export function createDispatcher(options: Options): ConnectionDispatcher {
  const { maxWaiting = defaultMaxWaiting, maxWaitMs = defaultMaxWaitMs, answerOverflow = close } = options;
  const waiting = new Map<Socket, NodeJS.Timeout>();
  const free: ConnectionReceiver[] = [];
  const shed = countCalls(answerOverflow);
  let isClosed = false;

  const serve = async (receiver: ConnectionReceiver) => {
    for (let next = takeFirst(waiting); next !== null; next = takeFirst(waiting)) {
      const [connection, deadline] = next;
      const isTaken = await receiver.take(connection, waiting.size > 0);
      if (!isTaken) return connection.destroyed ? undefined : wait(connection, deadline);
      // Closes only the dispatcher's handle. The receiver has its own handle.
      connection.destroy();
    }
    free.push(receiver);
  };
  const wait = (connection: Socket, deadline: NodeJS.Timeout) => {
    if (!server.listening) return void connection.destroy();
    waiting.set(connection, deadline);
    const receiver = free.shift();
    if (receiver) void serve(receiver);
  };

  const server = createServer({ pauseOnConnect: true, noDelay: true }, (connection) => {
    connection.on('error', () => undefined);
    if (waiting.size >= maxWaiting) return shed.answer(connection);
    // A connection that was already offered to a receiver gets its response from the receiver.
    const end = () => (waiting.delete(connection) ? shed.answer : close)(connection);
    wait(connection, startDeadline(connection, maxWaitMs, end));
  });
  return {
    async open() {
      if (isClosed) throw new Error('the dispatcher is closed');
      return listen(server, options);
    },
    add: (receiver) => void serve(receiver),
    countShed: shed.count,
    isListening: () => server.listening,
    close() {
      isClosed = true;
      server.close();
      for (const connection of waiting.keys()) connection.destroy();
      waiting.clear();
    },
  };
}

function countCalls(answer: (connection: Socket) => void) {
  let calls = 0;
  return {
    count: () => calls,
    answer(connection: Socket): void {
      calls++;
      answer(connection);
    },
  };
}

const close = (connection: Socket) => void connection.destroy();

function startDeadline(connection: Socket, maxWaitMs: number, giveUp: () => void): NodeJS.Timeout {
  const deadline = setTimeout(giveUp, maxWaitMs);
  connection.once('close', () => clearTimeout(deadline));
  return deadline;
}

async function listen(server: Server, { host, port }: Pick<Options, 'host' | 'port'>): Promise<number> {
  try {
    await once(server.listen({ host, port, backlog }), 'listening');
  } catch (error) {
    throw explainListenError(error, { host, port });
  }
  server.on('error', () => undefined);
  const address = server.address();
  return address !== null && typeof address === 'object' ? address.port : port;
}

function takeFirst<Key, Value>(map: Map<Key, Value>): [Key, Value] | null {
  const [first = null] = map;
  if (first) map.delete(first[0]);
  return first;
}
