import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type NetConnectOpts, type Socket } from 'node:net';

/** A network between a node and its database, which can fail. */
export interface DatabaseProxy {
  readonly connectionString: string;
  /** Resets every connection and refuses new ones, as when the database has stopped. */
  cut(): void;
  /** Passes nothing on any more and tells no one, as when a cable is pulled. */
  freeze(): void;
  /** Passes new connections on; those that were frozen stay silent for ever. */
  restore(): void;
  close(): Promise<void>;
}

export async function startDatabaseProxy(connectionString: string): Promise<DatabaseProxy> {
  const target = addressOf(new URL(connectionString));
  const clients = new Set<Socket>();
  const pairs = new Set<readonly [Socket, Socket]>();
  let state: 'open' | 'cut' | 'frozen' = 'open';

  const server = createServer((client) => {
    client.on('error', () => undefined);
    clients.add(client);
    client.on('close', () => clients.delete(client));
    if (state === 'cut') return client.resetAndDestroy();
    if (state === 'frozen') return client.pause();
    const upstream = connect(target);
    upstream.on('error', () => client.destroy());
    const pair = [client, upstream] as const;
    pairs.add(pair);
    client.on('close', () => {
      upstream.destroy();
      pairs.delete(pair);
    });
    upstream.on('close', () => client.destroy());
    client.pipe(upstream).pipe(client);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');

  return {
    connectionString: proxied(connectionString, server.address() as AddressInfo), // safe because it listens on TCP
    cut() {
      state = 'cut';
      for (const [client] of pairs) client.resetAndDestroy();
    },
    freeze() {
      state = 'frozen';
      for (const [client, upstream] of pairs) {
        client.unpipe(upstream).pause();
        upstream.unpipe(client).pause();
      }
    },
    restore() {
      state = 'open';
    },
    async close() {
      for (const client of clients) client.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

function addressOf(url: URL): NetConnectOpts {
  const folder = url.searchParams.get('host');
  const port = Number(url.port || 5432);
  return folder?.startsWith('/')
    ? { path: `${folder}/.s.PGSQL.${port}` }
    : { host: folder ?? url.hostname, port };
}

function proxied(connectionString: string, { port }: AddressInfo): string {
  const url = new URL(connectionString);
  url.searchParams.delete('host');
  url.hostname = '127.0.0.1';
  url.port = String(port);
  return url.href;
}
