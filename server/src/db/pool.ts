import pg from 'pg';

export interface PoolTimeouts {
  /** For a connection, whether a free one or a new one. */
  readonly connectMs?: number;
  readonly statementMs?: number;
  /** After which the database ends a transaction whose client says nothing, and frees what it has locked. */
  readonly silentTransactionMs?: number;
}

/** By how much an answer may come later than the database's own end of a statement before it is not waited for. */
const silenceMs = 1_000;

/** A small pool per purpose, so that no screen delays the gate (design: connections of a worker). */
export function createPool(
  connectionString: string,
  max: number,
  applicationName: string,
  { connectMs = 5_000, statementMs = 30_000, silentTransactionMs }: PoolTimeouts = {},
): pg.Pool {
  const pool = new pg.Pool({
    connectionString,
    max,
    application_name: applicationName,
    connectionTimeoutMillis: connectMs,
    idleTimeoutMillis: 30_000,
    statement_timeout: statementMs,
    ...(silentTransactionMs !== undefined && { idle_in_transaction_session_timeout: silentTransactionMs }),
    // A network that swallows everything ends no statement; without this its connections would wait for ever.
    query_timeout: statementMs + silenceMs,
  });
  // A connection that breaks is replaced by the pool; without listeners, idle or in use, it would end the process.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}
