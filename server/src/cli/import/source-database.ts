import { sql } from 'drizzle-orm';
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import { createClient } from '#db/client.ts';

export type SourceDatabase = Pick<NodePgDatabase, 'execute'>;

const connectTimeoutMs = 15_000;

/** Reads another gateway's PostgreSQL database in one read-only snapshot. Supports Prisma's URL parameters. */
export async function withSourceDatabase<Result>(
  url: string,
  product: string,
  read: (database: SourceDatabase) => Promise<Result>,
): Promise<Result> {
  const { connectionString, schema } = splitUrl(url);
  const client = createClient({
    connectionString,
    connectionTimeoutMillis: connectTimeoutMs,
    application_name: 'sluice-import',
  });
  // Without a listener, a connection loss between two statements would terminate the process.
  client.on('error', () => undefined);
  try {
    await client.connect();
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`The database of ${product} cannot be reached: ${reason}. Check its URL.`, { cause });
  }
  try {
    const database = drizzle(client);
    return await database.transaction(
      async (tx) => {
        if (schema) await tx.execute(sql`SELECT set_config('search_path', ${schema}, true)`);
        return read(tx);
      },
      { isolationLevel: 'repeatable read', accessMode: 'read only' },
    );
  } finally {
    await client.end();
  }
}

function splitUrl(text: string): { connectionString: string; schema: string | null } {
  if (!URL.canParse(text) || !/^postgres(ql)?:/i.test(text))
    throw new Error('The database URL is invalid. Use a URL such as postgresql://user:password@host/name.');
  const url = new URL(text);
  const schema = url.searchParams.get('schema');
  for (const name of ['schema', 'connection_limit', 'pool_timeout', 'pgbouncer', 'connect_timeout'])
    url.searchParams.delete(name);
  return { connectionString: url.href, schema: schema && `"${schema.replaceAll('"', '""')}"` };
}
