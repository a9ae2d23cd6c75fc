import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { explainListenError } from './listen-address.ts';

/** Who answers connections. */
export interface ConnectionReceiver {
  /**
   * Whether the receiver has taken the connection; false when it drains or has ended. Called once at a time; `hasMore`
   * says that others wait behind it.
   */
  take(connection: Socket, hasMore: boolean): Promise<boolean>;
}

/** The address that callers connect to. Connections wait here, unread, while no receiver is free. */
export interface ConnectionDispatcher {
  /**
   * Listens, at a free port for 0, and resolves with the port. Until then callers find a closed port, for which balancers
   * send a request elsewhere.
   */
  open(): Promise<number>;
  /** From now on the receiver gets connections in its turn, until it refuses one. */
  add(receiver: ConnectionReceiver): void;
  /** How many connections got no receiver: too many waited, or they had waited too long. */
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
  /** Answers connections that find no place to wait, or have waited too long; without it they are closed. */
  answerOverflow?: (connection: Socket) => void;
}

const defaultMaxWaiting = 1_024;
const defaultMaxWaitMs = 10_000;
/** Of connections that the system holds for us; it drops those beyond, and their callers try again after a second or more. */
const backlog = 4_096;

/** Not `node:cluster`: it keeps a connection forever whose worker was killed, and refuses new ones while no worker lives. */
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
      // The receiver has its own hold on it; ours is all that ends here.
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
    // Who is being offered to a receiver is the receiver's to answer.
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

/** Resolves with the port. */
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
