import pg from 'pg';

/**
 * Creates a client for a pooler that gives each transaction another session (PgBouncer, pool_mode = transaction).
 * Session state is lost between transactions, so each one sets its settings, and prepared statements are unnamed.
 */
export function createPooledClient(settings: readonly string[]): typeof pg.Client {
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
  // A query object of the driver is a class instance; those of callers are plain objects.
  if (Object.getPrototypeOf(statement) !== Object.prototype || typeof text !== 'string') return statement;
  return { ...statement, name: undefined, text: text.replace(begin, (found) => found + setLocal) };
}
