import { drizzle } from 'drizzle-orm/node-postgres';
import type pg from 'pg';
import { type Clock, systemClock } from '#platform/clock.ts';
import type { Logger } from '#platform/logger.ts';
import { restoreMark } from './backup/empty-database.ts';
import { createClient } from './client.ts';
import { installationLocks } from './installation-locks.ts';
import { keepLogPartitions } from './log-partitions/keep-log-partitions.ts';
import { compareMigrations, type Migration, readApplied, readMigrations } from './migration-files.ts';

/** Time limit for creating log partitions during startup. The partition job creates the remaining ones. */
const partitionsMs = 10_000;

/** The message contains the fix. */
export class MigrationError extends Error {
  override readonly name = 'MigrationError';
}

export interface MigrateOptions {
  readonly clock?: Clock;
  /** Names of the migrations to run, which must be those of an earlier version. All migrations by default. */
  readonly upTo?: readonly string[];
  readonly isRestoring?: boolean;
}

/**
 * Migrates the schema to this version, each migration in one transaction. If several nodes start simultaneously, an
 * advisory lock selects one of them to migrate.
 * @throws MigrationError if the database is newer, half restored or has an edited migration, or if the login lacks
 * rights
 */
export async function migrate(
  connectionString: string,
  log: Logger,
  { clock = systemClock, upTo, isRestoring = false }: MigrateOptions = {},
): Promise<void> {
  const client = createClient({ connectionString });
  await client.connect();
  try {
    await client.query('SELECT pg_advisory_lock($1)', [installationLocks.migration]);
    if (!isRestoring) await refuseHalfRestored(client);
    await requireRights(client);
    await client.query(
      'CREATE TABLE IF NOT EXISTS schema_migrations (name text PRIMARY KEY, checksum text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())',
    );
    const migrations = readMigrations().filter(({ name }) => upTo?.includes(name) ?? true);
    const pending = await findPending(client, migrations);
    for (const migration of pending) await apply(client, migration);
    await client.query('SELECT pg_advisory_unlock($1)', [installationLocks.migration]);
    // Ignore failures: rows without a partition are stored in the default partition.
    const signal = AbortSignal.timeout(partitionsMs);
    await keepLogPartitions(drizzle({ client }), { clock, log, signal }).catch((error) =>
      log.error({ error }, 'the partitions of the request log could not be updated'),
    );
  } finally {
    await client.end();
  }
}

async function findPending(client: pg.Client, migrations: Migration[]): Promise<Migration[]> {
  const { pending, newer, edited } = compareMigrations(await readApplied(client), migrations);
  if (newer) {
    throw new MigrationError(
      `The database was set up by a newer version of Sluice (it has migration ${newer}). Start that version, or restore a backup made before the upgrade.`,
    );
  }
  if (edited) {
    throw new MigrationError(
      `Migration ${edited} differs from the migration that this database ran: this build is not a release. Reinstall the release, or the build that created the database.`,
    );
  }
  return pending;
}

async function refuseHalfRestored(client: pg.Client): Promise<void> {
  const { rows } = await client.query('SELECT FROM to_regclass($1) t WHERE t IS NOT NULL', [restoreMark]);
  if (rows.length === 0) return;
  throw new MigrationError('A restore of this database was interrupted. Run `sluice restore FILE` again.');
}

async function apply(client: pg.Client, { name, sql, checksum }: Migration): Promise<void> {
  await client.query('BEGIN');
  try {
    await client.query(sql);
    await client.query('INSERT INTO schema_migrations (name, checksum) VALUES ($1, $2)', [name, checksum]);
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  }
}

async function requireRights(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ login: string; may_create: boolean; is_member: boolean }>(
    `SELECT current_user AS login, rolcreaterole OR rolsuper AS may_create,
       EXISTS (SELECT FROM pg_roles r WHERE r.rolname = 'sluice_tenant' AND pg_has_role(current_user, r.oid, 'MEMBER')) AS is_member
     FROM pg_roles WHERE rolname = current_user`,
  );
  const [row] = rows;
  if (!row || row.may_create || row.is_member) return;
  throw new MigrationError(
    `The login "${row.login}" may not create roles. Run these two statements as an administrator of the database, then start again:\n` +
      `  CREATE ROLE sluice_tenant NOLOGIN;\n  GRANT sluice_tenant TO "${row.login}";`,
  );
}
