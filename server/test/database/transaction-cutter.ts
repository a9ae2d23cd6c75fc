import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { addressOf, proxied } from './database-proxy.ts';

/** Message of a transaction that the database responds to, or the response to a message. */
export interface TransactionStep {
  /** Step number. 1 is `BEGIN`, each statement counts as one step, and `COPY` as two: statement and data. */
  readonly number: number;
  readonly lost: 'request' | 'response';
}

/** Database proxy that drops one step of a transaction and closes the connection. */
export interface TransactionCutter {
  readonly connectionString: string;
  /** Cuts the next transaction at this step, once; `null` cuts no transaction. */
  cutAt(step: TransactionStep | null): void;
  /** Whether a cut has happened since the last call of `cutAt`. */
  readonly hasCut: boolean;
  close(): Promise<void>;
}

export async function startTransactionCutter(connectionString: string): Promise<TransactionCutter> {
  let step: TransactionStep | null = null;
  let hasCut = false;
  const sockets = new Set<Socket>();
  const server = createServer({ noDelay: true }, (client) => {
    const upstream = connect(addressOf(new URL(connectionString)));
    const end = () => {
      client.destroy();
      upstream.destroy();
    };
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', end).on('close', end);
    }
    let isResponseLost = false;
    let number = Number.NaN;
    const split = createSplitter();
    client.on('data', (chunk: Buffer) => {
      for (const message of split(chunk)) {
        if (awaitsResponse(message)) number = message.includes('BEGIN') ? 1 : number + 1;
        if (awaitsResponse(message) && number === step?.number) {
          const { lost } = step;
          step = null;
          hasCut = true;
          if (lost === 'request') return end();
          isResponseLost = true;
        }
        upstream.write(message);
      }
    });
    upstream.on('data', (chunk) => void (isResponseLost ? end() : client.write(chunk)));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    connectionString: proxied(connectionString, (server.address() as AddressInfo).port), // safe because the proxy listens on TCP
    cutAt(next) {
      step = next;
      hasCut = false;
    },
    get hasCut() {
      return hasCut;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

const [query, sync, copyDone] = ['Q', 'S', 'c'];

function awaitsResponse(message: Buffer): boolean {
  return [query, sync, copyDone].includes(message.toString('latin1', 0, 1));
}

/** Only the first message has no type. */
function createSplitter(): (chunk: Buffer) => Buffer[] {
  let rest: Buffer = Buffer.alloc(0);
  let typeBytes = 0;
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    const messages: Buffer[] = [];
    while (rest.length >= typeBytes + 4) {
      const bytes = typeBytes + rest.readUInt32BE(typeBytes);
      if (rest.length < bytes) break;
      messages.push(rest.subarray(0, bytes));
      rest = rest.subarray(bytes);
      typeBytes = 1;
    }
    return messages;
  };
}
