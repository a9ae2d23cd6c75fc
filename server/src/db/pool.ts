import pg from 'pg';
import { clientFor } from './client.ts';
import { FairPool } from './fair-pool.ts';
import { rememberPool } from './open-pools.ts';

/**
 * Creates a client class for a pooler that may use a different session for each transaction (PgBouncer with pool_mode
 * = transaction). Session state is lost between transactions, so each transaction applies its settings, and prepared
 * statements are unnamed.
 */
function createPooledClient(settings: readonly string[]): typeof pg.Client {
  const setLocal = settings.map((setting) => `; SET LOCAL ${setting}`).join('');
  // The name must not contain "Pool", because Drizzle treats such a class as a pool.
  class PgBouncerClient extends pg.Client {
    // safe because it takes the parameters of the method it overrides, and passes them on
    override query = ((statement: unknown, ...rest: unknown[]) =>
      Reflect.apply(pg.Client.prototype.query, this, [
        adapt(statement, setLocal),
        ...rest,
      ])) as pg.Client['query'];
  }
  return PgBouncerClient;
}

const begin = /^\s*begin\b[^;]*/i;

function adapt(statement: unknown, setLocal: string): unknown {
  if (typeof statement === 'string') return statement.replace(begin, (text) => text + setLocal);
  if (statement === null || typeof statement !== 'object' || !('text' in statement)) return statement;
  const { text } = statement;
  // Query objects of the driver are class instances, whereas those of callers are plain objects.
  if (Object.getPrototypeOf(statement) !== Object.prototype || typeof text !== 'string') return statement;
  return { ...statement, name: undefined, text: text.replace(begin, (found) => found + setLocal) };
}

/** Prepares each statement once per connection, which avoids repeated parsing and planning. */
function createPreparingClient(): typeof pg.Client {
  const names = new Map<string, string>();
  const prepare = (text: string, values: unknown[]) => ({
    name: names.getOrInsertComputed(text, () => `s${names.size}`),
    text,
    values,
  });
  // The name must not contain "Pool", because Drizzle treats such a class as a pool.
  class PreparingClient extends pg.Client {
    // safe because it takes the parameters of the method it overrides, and passes them on
    override query = ((statement: unknown, values: unknown, ...rest: unknown[]) =>
      typeof statement === 'string' && Array.isArray(values)
        ? Reflect.apply(pg.Client.prototype.query, this, [prepare(statement, values), ...rest])
        : Reflect.apply(pg.Client.prototype.query, this, [statement, values, ...rest])) as pg.Client['query'];
  }
  return PreparingClient;
}

export interface PoolOptions {
  /** Timeout for getting a free or new connection. */
  readonly connectMs?: number;
  readonly statementMs?: number;
  /** Time after which the database aborts an idle transaction and releases its locks. */
  readonly silentTransactionMs?: number;
  /** Whether connections are made through a pooler in transaction mode. */
  readonly isPooled?: boolean;
  /**
   * Whether statements with parameters are prepared. For pools with few distinct statements; never through a pooler.
   */
  readonly hasPreparedStatements?: boolean;
  /** Whether tenants and their users take turns (see `fair-pool.ts`). */
  readonly isFair?: boolean;
}

/** Additional time to wait for a response after the database's statement timeout. */
const silenceMs = 1_000;

/** Creates a small pool for one purpose, so that queries of the console do not delay the gateway. */
export function createPool(
  connectionString: string,
  max: number,
  applicationName: string,
  options: PoolOptions = {},
): pg.Pool {
  const { connectMs = 5_000, statementMs = 30_000, silentTransactionMs, isPooled, isFair } = options;
  const PlainClient = options.hasPreparedStatements ? createPreparingClient() : pg.Client;
  const settings = [
    // JIT compilation costs more than it saves for queries that run for milliseconds.
    'jit = off',
    `statement_timeout = ${statementMs}`,
    ...(silentTransactionMs === undefined
      ? []
      : [`idle_in_transaction_session_timeout = ${silentTransactionMs}`]),
  ];
  const pool = new (isFair ? FairPool : pg.Pool)({
    // Apply settings with statements, because poolers reject startup parameters.
    ...(isPooled ? {} : { onConnect: setAll(settings) }),
    Client: clientFor(connectionString, isPooled ? createPooledClient(settings) : PlainClient),
    connectionString,
    max,
    application_name: applicationName,
    connectionTimeoutMillis: connectMs,
    idleTimeoutMillis: 30_000,
    // Without this timeout, statements would wait forever on a network that drops all packets.
    query_timeout: statementMs + silenceMs,
  });
  // The pool replaces broken connections. Without listeners, an error of a connection would terminate the process.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => {
    client.on('error', () => undefined);
    endWhenStale(client);
  });
  rememberPool(pool, applicationName);
  return pool;
}

function setAll(settings: readonly string[]) {
  const statement = settings.map((setting) => `SET ${setting}`).join('; ');
  return async (client: pg.ClientBase): Promise<void> => void (await client.query(statement));
}

/**
 * SQLSTATEs of sessions that cannot recover: transactions are read-only by default, or a migration has changed the
 * columns of a prepared statement.
 */
const staleStates: ReadonlySet<string | undefined> = new Set(['25006', '0A000']);

/** Closes the connection after an unrecoverable error, so that the pool opens a new one. */
function endWhenStale(client: pg.PoolClient): void {
  client.connection.on('errorMessage', ({ code }: pg.DatabaseError) => {
    if (staleStates.has(code)) setImmediate(() => client.end());
  });
}
