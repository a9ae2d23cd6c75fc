import { createClient } from './client.ts';
import { type ConnectionTarget, explainConnectionError } from './explain-connection-error.ts';

const oldestVersion = 15;
const connectMs = 10_000;

interface DatabaseFacts {
  version: number;
  version_name: string;
  login: string;
  database: string;
  encoding: string;
  is_read_only: boolean;
  may_create: boolean;
  may_create_in_public: boolean;
  has_trigrams: boolean;
  may_have_trigrams: boolean;
}

/**
 * Connects once and checks that the database meets the requirements of Sluice.
 * @throws Error with a message that contains the reason and the fix
 */
export async function checkDatabase(target: ConnectionTarget, isDirect: boolean): Promise<void> {
  const client = createClient({
    connectionString: target.connectionString,
    application_name: 'sluice-start',
    connectionTimeoutMillis: connectMs,
    // PgBouncer rejects settings that it cannot track per client, so this setting detects PgBouncer.
    ...(isDirect && { statement_timeout: connectMs }),
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    if (!isDirect) return void (await client.query('SELECT 1'));
    const { rows } = await client.query<DatabaseFacts>(readFacts);
    const problem = rows[0] && findProblem(rows[0]);
    if (problem) throw new Error(`The database cannot be used: ${problem}`);
  } catch (error) {
    if (error instanceof Error && error.message.startsWith('The database cannot be used')) throw error;
    throw explainConnectionError(error, target);
  } finally {
    await client.end().catch(() => undefined);
  }
}

const readFacts = `
  SELECT current_setting('server_version_num')::integer / 10000 AS version, current_setting('server_version') AS version_name,
    current_user AS login, current_database() AS database,
    current_setting('server_encoding') AS encoding,
    current_setting('transaction_read_only')::boolean AS is_read_only,
    has_database_privilege(current_database(), 'CREATE') AS may_create,
    has_schema_privilege('public', 'CREATE') AS may_create_in_public,
    EXISTS (SELECT FROM pg_extension WHERE extname = 'pg_trgm') AS has_trigrams,
    EXISTS (SELECT FROM pg_available_extensions WHERE name = 'pg_trgm') AS may_have_trigrams`;

function findProblem(facts: DatabaseFacts): string | null {
  const { database, encoding, login, version, version_name: versionName } = facts;
  if (version < oldestVersion)
    return `it is PostgreSQL ${versionName}, but Sluice needs ${oldestVersion} or newer. Upgrade the server.`;
  if (encoding !== 'UTF8')
    return `its encoding is ${encoding}, but Sluice needs UTF8. Create another database: CREATE DATABASE sluice ENCODING 'UTF8' TEMPLATE template0.`;
  if (facts.is_read_only)
    return 'it is read-only: it is a standby, or default_transaction_read_only is on. Use the primary.';
  if (!facts.has_trigrams && !facts.may_have_trigrams)
    return 'the extension pg_trgm is not installed on its server. Install the PostgreSQL contrib package (postgresql-contrib).';
  if (!facts.may_create || !facts.may_create_in_public)
    return `"${login}" may not create tables in "${database}". Make it the owner: ALTER DATABASE "${database}" OWNER TO "${login}".`;
  return null;
}
