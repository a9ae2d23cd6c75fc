import pg from 'pg';
import { clientFor } from './client.ts';
import { FairPool } from './fair-pool.ts';
import { rememberPool } from './open-pools.ts';

/**
 * Creates a client class for a pooler that gives each transaction a different session (PgBouncer, pool_mode =
 * transaction). Session state is lost between transactions, so each transaction applies its settings, and prepared
 * statements are unnamed.
 */
function createPooledClient(settings: readonly string[]): typeof pg.Client {
  const setLocal = settings.map((setting) => `; SET LOCAL ${setting}`).join('');
  // Drizzle treats any class with "Pool" in its name as a pool.
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
  // Query objects of the driver are class instances; those of callers are plain objects.
  if (Object.getPrototypeOf(statement) !== Object.prototype || typeof text !== 'string') return statement;
  return { ...statement, name: undefined, text: text.replace(begin, (found) => found + setLocal) };
}

/**
 * Creates a client class that prepares statements with parameters, so that the server plans each once per connection.
 */
function createPreparingClient(): typeof pg.Client {
  const names = new Map<string, string>();
  const prepare = (text: string, values: unknown[]) => ({
    name: names.getOrInsertComputed(text, () => `s${names.size}`),
    text,
    values,
  });
  // Drizzle treats any class with "Pool" in its name as a pool.
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
  /** Timeout for getting a connection, whether free or new. */
  readonly connectMs?: number;
  readonly statementMs?: number;
  /** Time after which the database aborts an idle transaction and releases its locks. */
  readonly silentTransactionMs?: number;
  /** Whether the connections lead to a pooler in transaction mode. */
  readonly isPooled?: boolean;
  /** Whether statements with parameters are prepared, for pools with few statements; never through a pooler. */
  readonly hasPreparedStatements?: boolean;
  /** Whether tenants and their users take turns (`fair-pool.ts`). */
  readonly isFair?: boolean;
}

/** Time to wait for a response beyond the database's statement timeout. */
const silenceMs = 1_000;

/** Creates a small pool for one purpose, so that the console's queries do not delay the gateway. */
export function createPool(
  connectionString: string,
  max: number,
  applicationName: string,
  options: PoolOptions = {},
): pg.Pool {
  const { connectMs = 5_000, statementMs = 30_000, silentTransactionMs, isPooled, isFair } = options;
  const PlainClient = options.hasPreparedStatements ? createPreparingClient() : pg.Client;
  const settings = [
    // Compiling costs more than it saves on queries that take milliseconds.
    'jit = off',
    `statement_timeout = ${statementMs}`,
    ...(silentTransactionMs === undefined
      ? []
      : [`idle_in_transaction_session_timeout = ${silentTransactionMs}`]),
  ];
  const pool = new (isFair ? FairPool : pg.Pool)({
    // Settings are applied by statements, since poolers reject startup parameters.
    ...(isPooled ? {} : { onConnect: setAll(settings) }),
    Client: clientFor(connectionString, isPooled ? createPooledClient(settings) : PlainClient),
    connectionString,
    max,
    application_name: applicationName,
    connectionTimeoutMillis: connectMs,
    idleTimeoutMillis: 30_000,
    // On a network that drops all packets statements never end; without this timeout their connections would wait
    // forever.
    query_timeout: statementMs + silenceMs,
  });
  // The pool replaces broken connections; without listeners, an error of an idle or used connection would terminate
  // the process.
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
 * SQLSTATEs of a session that cannot recover: its transactions are read-only by default, or a migration has changed
 * the columns of a prepared statement.
 */
const staleStates: ReadonlySet<string | undefined> = new Set(['25006', '0A000']);

/** Closes the connection after such an error, so that the pool opens a new one. */
function endWhenStale(client: pg.PoolClient): void {
  client.connection.on('errorMessage', ({ code }: pg.DatabaseError) => {
    if (staleStates.has(code)) setImmediate(() => client.end());
  });
}
