import pg from 'pg';
import { clientFor } from './client.ts';
import { FairPool } from './fair-pool.ts';
import { rememberPool } from './open-pools.ts';
import { createPooledClient } from './pooled-client.ts';

export interface PoolOptions {
  /** For a connection, whether a free one or a new one. */
  readonly connectMs?: number;
  readonly statementMs?: number;
  /** After which the database ends a transaction whose client says nothing, and frees what it has locked. */
  readonly silentTransactionMs?: number;
  /** The connections lead to a pooler that knows transactions only, and not sessions. */
  readonly isPooled?: boolean;
  /** Tenants and their users take turns (`connection-share.ts`). */
  readonly isFair?: boolean;
}

/** By how much an answer may come later than the database's own end of a statement before it is not waited for. */
const silenceMs = 1_000;

/** A small pool per purpose, so that no screen delays the gate (design: connections of a worker). */
export function createPool(
  connectionString: string,
  max: number,
  applicationName: string,
  options: PoolOptions = {},
): pg.Pool {
  const { connectMs = 5_000, statementMs = 30_000, silentTransactionMs, isPooled, isFair } = options;
  const settings = [
    // Compiling costs more than it saves on queries of milliseconds.
    'jit = off',
    `statement_timeout = ${statementMs}`,
    ...(silentTransactionMs === undefined
      ? []
      : [`idle_in_transaction_session_timeout = ${silentTransactionMs}`]),
  ];
  const pool = new (isFair ? FairPool : pg.Pool)({
    // By statements and not as parameters of the connection, which poolers refuse.
    ...(isPooled ? {} : { onConnect: setAll(settings) }),
    Client: clientFor(connectionString, isPooled ? createPooledClient(settings) : pg.Client),
    connectionString,
    max,
    application_name: applicationName,
    connectionTimeoutMillis: connectMs,
    idleTimeoutMillis: 30_000,
    // A network that swallows everything ends no statement; without this its connections would wait for ever.
    query_timeout: statementMs + silenceMs,
  });
  // A connection that breaks is replaced by the pool; without listeners, idle or in use, it would end the process.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => {
    client.on('error', () => undefined);
    endWhenReadOnly(client);
  });
  rememberPool(pool, applicationName);
  return pool;
}

function setAll(settings: readonly string[]) {
  const statement = settings.map((setting) => `SET ${setting}`).join('; ');
  return async (client: pg.ClientBase): Promise<void> => void (await client.query(statement));
}

const readOnlyTransaction = '25006';

/** A session keeps the default that it began with; after its first refused write the pool opens another one. */
function endWhenReadOnly(client: pg.PoolClient): void {
  client.connection.on('errorMessage', ({ code }: pg.DatabaseError) => {
    if (code === readOnlyTransaction) setImmediate(() => client.end());
  });
}
