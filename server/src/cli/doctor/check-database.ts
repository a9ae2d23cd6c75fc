import { drizzle } from 'drizzle-orm/node-postgres';
import type pg from 'pg';
import { findLastBackup } from '#db/backup/backup-history.ts';
import { createClient } from '#db/client.ts';
import { explainConnectionError } from '#db/explain-connection-error.ts';
import { compareMigrations, readApplied, readMigrations } from '#db/migration-files.ts';
import type { SystemDatabase } from '#db/system.ts';
import { isOverdue, listJobs } from '#jobs/job-list.ts';
import type { Keyring } from '#platform/keyring.ts';
import { openSecret, providerKeyPlace } from '#platform/seal-secret.ts';
import { type Check, fail, ok, warn } from './check.ts';

const dayMs = 86_400_000;
const backupDaysMax = 7;

async function checkJobs(database: SystemDatabase): Promise<Check[]> {
  return [await checkRuns(database), await checkBackup(database)];
}

async function checkRuns(database: SystemDatabase): Promise<Check> {
  const name = 'jobs';
  const jobs = await listJobs(database);
  const planned = jobs.filter(({ interval_seconds }) => interval_seconds > 0);
  if (planned.length === 0) return ok(name, 'no job has run yet; jobs run after the first start');
  const nowMs = Date.now();
  const overdue = planned.filter((job) => isOverdue(job, nowMs));
  if (overdue.length === planned.length)
    return warn(name, 'no job has run recently', 'Start Sluice: jobs run only while a node is running.');
  const failed = planned.filter((job) => job.last_error !== null || isOverdue(job, nowMs));
  if (failed.length === 0) return ok(name, `all ${planned.length} ran as scheduled`);
  return warn(
    name,
    failed
      .map(
        (job) => `${job.name} last succeeded ${job.succeeded_at ?? 'never'}: ${job.last_error ?? 'overdue'}`,
      )
      .join('; '),
    'See the log for the cause, then run: npx sluice jobs run NAME',
  );
}

async function checkBackup(database: SystemDatabase): Promise<Check> {
  const name = 'backup';
  const last = await findLastBackup(database);
  const fix = 'Run: npx sluice backup FILE (or ignore this if you back up PostgreSQL by other means).';
  if (last === null) return warn(name, 'sluice backup has never been run on this database', fix);
  const days = Math.floor((Date.now() - last.getTime()) / dayMs);
  const finding = `the last backup was written at ${last.toISOString()}`;
  return days >= backupDaysMax ? warn(name, finding, fix) : ok(name, finding);
}

const connectMs = 5_000;
const oldestVersion = 150_000;
const clockMs = { warn: 2_000, fail: 30_000 };

/** Returns a single failed check if the database cannot be reached. */
export async function checkDatabase(connectionString: string, openKeyring: OpenKeyring): Promise<Check[]> {
  const client = createClient({
    connectionString,
    connectionTimeoutMillis: connectMs,
    statement_timeout: connectMs,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
  } catch (error) {
    const { message } = explainConnectionError(error, { variable: 'DATABASE_URL', connectionString });
    return [fail('database', message, 'See docs/operating/postgresql.md.')];
  }
  try {
    const database = drizzle({ client });
    const migrations = await checkMigrations(client);
    const checks = [
      await checkVersion(database),
      await checkPrivileges(database),
      await checkTrigrams(database),
      await checkClock(database),
      migrations,
    ];
    if (migrations.state === 'fail') return checks;
    const secret = await checkSecret(database, openKeyring);
    // Without all migrations, the tables of the jobs may not exist yet.
    return [...checks, ...secret, ...(migrations.state === 'ok' ? await checkJobs(database) : [])];
  } finally {
    await client.end();
  }
}

/**
 * Opens the keys of the installation. Resolves with `null` for a new database.
 * @throws Error if the secret is missing or does not match the database
 */
type OpenKeyring = (database: SystemDatabase) => Promise<Pick<Keyring, 'sealingKey'> | null>;

function formatCause(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(formatCause).join('; ');
  return error instanceof Error ? error.message : String(error);
}

async function checkVersion(database: SystemDatabase): Promise<Check> {
  const { rows } = await database.execute<{ number: number; text: string; writable: boolean }>(
    `SELECT current_setting('server_version_num')::integer AS number, current_setting('server_version') AS text,
       NOT pg_is_in_recovery() AND current_setting('transaction_read_only') = 'off' AS writable`,
  );
  const { number = 0, text = '', writable = false } = rows[0] ?? {};
  if (number < oldestVersion) return fail('database', `PostgreSQL ${text}`, 'Use PostgreSQL 15 or newer.');
  if (!writable)
    return fail('database', `PostgreSQL ${text}, read-only`, 'Point DATABASE_URL at the primary.');
  return ok('database', `PostgreSQL ${text}`);
}

async function checkPrivileges(database: SystemDatabase): Promise<Check> {
  const { rows } = await database.execute<{
    login: string;
    may_create: boolean;
    is_member: boolean;
    may_add: boolean;
  }>(
    `SELECT current_user AS login, rolcreaterole OR rolsuper AS may_create,
       EXISTS (SELECT FROM pg_roles r WHERE r.rolname = 'sluice_tenant' AND pg_has_role(current_user, r.oid, 'MEMBER')) AS is_member,
       has_schema_privilege('public', 'CREATE') AS may_add
     FROM pg_roles WHERE rolname = current_user`,
  );
  const { login = '', may_create = false, is_member = false, may_add = false } = rows[0] ?? {};
  const name = 'privileges';
  if (!may_add)
    return fail(
      name,
      `"${login}" is not allowed to create tables`,
      `As an administrator run: GRANT CREATE ON SCHEMA public TO "${login}";`,
    );
  if (may_create || is_member) return ok(name, `"${login}" has the privileges that Sluice needs`);
  const fix = `As an administrator run: CREATE ROLE sluice_tenant NOLOGIN; GRANT sluice_tenant TO "${login}";`;
  return fail(name, `"${login}" cannot use the role sluice_tenant`, fix);
}

async function checkTrigrams(database: SystemDatabase): Promise<Check> {
  const { rows } = await database.execute<{ installed: boolean }>(
    "SELECT installed_version IS NOT NULL AS installed FROM pg_available_extensions WHERE name = 'pg_trgm'",
  );
  if (rows[0]?.installed) return ok('pg_trgm', 'installed');
  if (rows[0]) return ok('pg_trgm', 'available; the first start installs it');
  return fail('pg_trgm', 'not available on this server', 'Install the PostgreSQL contrib package.');
}

async function checkClock(database: SystemDatabase): Promise<Check> {
  const before = Date.now();
  const { rows } = await database.execute<{ ms: string }>(
    'SELECT extract(epoch FROM clock_timestamp()) * 1000 AS ms',
  );
  const offMs = Math.round(Number(rows[0]?.ms) - (before + Date.now()) / 2);
  const finding = `the clock of the database is ${Math.abs(offMs)} ms ${offMs < 0 ? 'behind' : 'ahead'}`;
  const fix = 'Synchronize both machines with the same time servers (NTP).';
  if (Math.abs(offMs) > clockMs.fail) return fail('clock', finding, fix);
  return Math.abs(offMs) > clockMs.warn ? warn('clock', finding, fix) : ok('clock', finding);
}

async function checkMigrations(client: pg.Client): Promise<Check> {
  const name = 'migrations';
  const applied = await readApplied(client);
  const { pending, newer, edited } = compareMigrations(applied, readMigrations());
  if (newer)
    return fail(
      name,
      `a newer version has run the migration ${newer}`,
      'Run that version, or restore a backup made before the upgrade.',
    );
  if (edited)
    return fail(
      name,
      `${edited} differs from the migration that this database ran`,
      'Reinstall the release.',
    );
  if (pending.length === 0) return ok(name, `all ${applied.length} have run`);
  return warn(name, `${pending.length} have not run`, 'The next start runs them. Make a backup first.');
}

async function checkSecret(database: SystemDatabase, openKeyring: OpenKeyring): Promise<Check[]> {
  const name = 'secret';
  try {
    const keyring = await openKeyring(database);
    if (!keyring) return [ok(name, 'the database is new')];
    return [ok(name, 'it matches this database'), await checkProviderKeys(database, keyring)];
  } catch (error) {
    return [
      fail(
        name,
        formatCause(error),
        'Set SLUICE_SECRET, or set SLUICE_DATA_DIR to the folder that contains it.',
      ),
    ];
  }
}

async function checkProviderKeys(
  database: SystemDatabase,
  { sealingKey }: Pick<Keyring, 'sealingKey'>,
): Promise<Check> {
  const { rows } = await database.execute<{ id: number; tenant_id: number; sealed: Buffer }>(
    'SELECT id, tenant_id, sealed_api_key AS sealed FROM llm_providers WHERE sealed_api_key IS NOT NULL ORDER BY id',
  );
  const shut = rows.filter(({ id, tenant_id, sealed }) => {
    try {
      openSecret(sealingKey, providerKeyPlace(tenant_id, id), sealed);
      return false;
    } catch {
      return true;
    }
  });
  if (shut.length === 0) return ok('provider keys', `all ${rows.length} can be decrypted`);
  const ids = shut.map(({ id }) => id).join(', ');
  return fail(
    'provider keys',
    `the keys of the instances ${ids} cannot be decrypted`,
    'Enter these keys again in the console.',
  );
}
