import pg from 'pg';

/**
 * A client for a pooler that gives each transaction another session (PgBouncer, pool_mode = transaction): nothing of a
 * session outlasts a transaction there. So settings begin with each transaction, and prepared statements have no names.
 */
export function createPooledClient(settings: readonly string[]): typeof pg.Client {
  const setLocal = settings.map((setting) => `; SET LOCAL ${setting}`).join('');
  // Drizzle takes whatever has "Pool" in its name for a pool.
  class PgBouncerClient extends pg.Client {
    // safe because it takes what the method it stands for takes, and passes it on
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
  // A query object of the driver's own is a class; what callers write is plain.
  if (Object.getPrototypeOf(statement) !== Object.prototype || typeof text !== 'string') return statement;
  return { ...statement, name: undefined, text: text.replace(begin, (found) => found + setLocal) };
}
