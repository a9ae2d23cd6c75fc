import pg from 'pg';
import { type DatabaseHost, type DatabaseUrl, parseDatabaseUrl } from '#platform/database-url.ts';

export class NoPrimaryError extends AggregateError {
  override readonly name = 'NoPrimaryError';
}

/** Time limit for one server to accept a connection and report whether it accepts writes. */
const probeMs = 2_000;

/** Server that last accepted writes, by connection string. Shared by all pools of the process. */
const primaries = new Map<string, Promise<DatabaseHost>>();

/** The connection string may name several servers. */
export function createClient(config: pg.ClientConfig & { readonly connectionString: string }): pg.Client {
  return new (clientFor(config.connectionString))(config);
}

/**
 * Returns a client class that connects to the primary among the servers of `connectionString`, or `Base` if there is
 * only one server.
 */
export function clientFor(connectionString: string, Base: typeof pg.Client = pg.Client): typeof pg.Client {
  const url = parseDatabaseUrl(connectionString);
  const first = url?.hosts[0];
  return url?.isPrimaryWanted && first ? primaryClient(connectionString, url, first, Base) : Base;
}

function primaryClient(
  connectionString: string,
  url: DatabaseUrl,
  first: DatabaseHost,
  Base: typeof pg.Client,
): typeof pg.Client {
  const forget = () => void primaries.delete(connectionString);
  return class PrimaryClient extends Base {
    constructor(config: pg.ClientConfig) {
      super({ ...config, connectionString: url.forHost(first) });
      this.on('error', forget);
    }

    override connect(): Promise<this>;
    override connect(callback: (error: Error) => void): void;
    override connect(callback?: (error: Error) => void): Promise<this> | undefined {
      const connected = this.#connectToPrimary().catch((error: unknown) => {
        forget();
        throw error;
      });
      if (!callback) return connected;
      // On success, the driver calls back without an error, although its types require one.
      const succeed = callback as (error?: Error) => void;
      connected.then(() => succeed(), callback);
      return undefined;
    }

    async #connectToPrimary(): Promise<this> {
      const { host, port } = await findPrimary(connectionString, url);
      // A pool destroys the socket if it times out during the search.
      if (this.connection.stream.destroyed) throw new Error('timeout expired');
      Object.assign(this, { host, port });
      await super.connect();
      if (!(await isReadOnly(this))) return this;
      await this.end();
      throw new NoPrimaryError([], `${host}:${port} is now read-only`);
    }
  };
}

/** All servers are probed in parallel, because a server that drops packets would use up the time of the others. */
function findPrimary(connectionString: string, url: DatabaseUrl): Promise<DatabaseHost> {
  return primaries.getOrInsertComputed(connectionString, () => {
    const search = Promise.any(url.hosts.map((host) => requirePrimary(url, host))).catch(
      ({ errors }: AggregateError) => {
        primaries.delete(connectionString);
        throw new NoPrimaryError(errors, 'none of the servers accepts writes');
      },
    );
    // Waiting callers receive the error. Without this handler, the cached promise's rejection would terminate the
    // process.
    search.catch(() => undefined);
    return search;
  });
}

async function requirePrimary(url: DatabaseUrl, host: DatabaseHost): Promise<DatabaseHost> {
  const client = new pg.Client({
    connectionString: url.forHost(host),
    application_name: 'sluice-primary',
    connectionTimeoutMillis: probeMs,
    query_timeout: probeMs,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    if (await isReadOnly(client)) throw new Error(`${host.host}:${host.port} is read-only`);
    return host;
  } finally {
    client.end().catch(() => undefined);
  }
}

async function isReadOnly(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ transaction_read_only: string }>('SHOW transaction_read_only');
  return rows[0]?.transaction_read_only === 'on';
}
