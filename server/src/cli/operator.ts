import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { foldEmail } from '@sluice/contract';
import type pg from 'pg';
import type { Config } from '#config/config.ts';
import { findAccount } from '#console/auth/store.ts';
import { isDatabaseInUse } from '#console/first-run/prepare-database.ts';
import type { Actor } from '#db/actor.ts';
import { checkDatabase } from '#db/check-database.ts';
import { clusterDirOf } from '#db/embedded-server/cluster.ts';
import { addressOfRunning, startEmbeddedServer } from '#db/embedded-server/start-embedded-server.ts';
import {
  type AppliedMigration,
  compareMigrations,
  readApplied,
  readMigrations,
} from '#db/migration-files.ts';
import { createPool, type PoolOptions } from '#db/pool.ts';
import { changeAs, createSystemDatabase, type SystemDatabase } from '#db/system.ts';
import { createRunInTenant, type LogTransaction } from '#db/tenant.ts';
import type { Author } from '#domain/principal.ts';
import { findInstalledSecret } from '#master-key/store.ts';
import { WrongSecretError } from '#master-key/wrong-secret-error.ts';
import { FileLockHeldError } from '#platform/file-lock.ts';
import { createKeyring, type Keyring } from '#platform/keyring.ts';
import { createLogger } from '#platform/logger.ts';
import { openRequestLog } from '#request-log/open-request-log.ts';
import type { RequestLog } from '#request-log/request-log.ts';
import { lockDataFolder, prepareDataFolder, requireDataFolder } from '#supervisor/data-folder.ts';
import { findSecret } from '#supervisor/secret.ts';

const maxConnections = 10;

export interface OpenDatabaseOptions {
  /** Whether a missing data folder or embedded database is created. Only a restore does so. */
  readonly canCreate?: boolean;
}

/**
 * Returns the database URL of the installation. Starts the embedded PostgreSQL until the command ends unless Sluice
 * is running.
 * @throws Error with cause and fix, as at startup, if the database cannot be used or does not exist
 */
export async function openDatabase(
  config: Config,
  running: AsyncDisposableStack,
  { canCreate = false }: OpenDatabaseOptions = {},
): Promise<string> {
  if (config.database) {
    const connectionString = config.database.directUrl;
    const variable = connectionString === config.database.url ? 'DATABASE_URL' : 'DATABASE_DIRECT_URL';
    await checkDatabase({ variable, connectionString }, true);
    return connectionString;
  }
  const { dataDir } = config;
  if (canCreate) await prepareDataFolder(dataDir);
  else await requireCluster(dataDir);
  const log = createLogger('error');
  try {
    running.defer((await lockDataFolder(dataDir, log)).release);
  } catch (error) {
    if (error instanceof FileLockHeldError) return addressOfRunning(dataDir);
    throw error;
  }
  const server = await startEmbeddedServer({ dataDir, maxConnections, log });
  running.defer(server.stop);
  return server.connectionString;
}

async function requireCluster(dataDir: string): Promise<void> {
  await requireDataFolder(dataDir);
  if (existsSync(join(clusterDirOf(dataDir), 'PG_VERSION'))) return;
  throw new Error(
    `The data folder ${dataDir} contains no database. Set SLUICE_DATA_DIR to the folder of the installation, or DATABASE_URL to its database; to create a new installation, start Sluice (npm start).`,
  );
}

export interface Person {
  readonly id: number;
  readonly tenantId: number;
}

/** The audit log records the operator's operations without a user. */
export interface Operator {
  readonly pool: pg.Pool;
  readonly system: SystemDatabase;
  readonly requestLog: RequestLog;
  /** `action` is the name of the operation in the contract. */
  inTenant<Result>(
    tenantId: number,
    action: string,
    work: (tx: LogTransaction, author: Author) => Promise<Result>,
  ): Promise<Result>;
  asSystem<Result>(
    action: string,
    work: (tx: SystemDatabase, requestId: string) => Promise<Result>,
  ): Promise<Result>;
  /** @throws Error if no user has this email address */
  requirePerson(email: string): Promise<Person>;
  /** @throws Error if the secret is missing or does not match the database */
  openKeyring(): Promise<Keyring>;
}

const address = 'command line';

export async function asOperator<Result>(
  config: Config,
  work: (operator: Operator) => Promise<Result>,
  poolOptions: Pick<PoolOptions, 'statementMs'> = {},
): Promise<Result> {
  await using running = new AsyncDisposableStack();
  const pool = createPool(await openDatabase(config, running), 2, 'sluice-cli', poolOptions);
  running.defer(() => pool.end());
  requireSchema(await readApplied(pool));
  const system = createSystemDatabase(pool);
  const requestLog = openRequestLog(config, null);
  running.defer(requestLog.close);
  const runInTenant = createRunInTenant(pool, requestLog.openTenant);
  const actorOf = (action: string): Actor => ({
    userId: null,
    action,
    requestId: crypto.randomUUID(),
    address,
  });
  const authorOf = (tenantId: number): Author => ({ userId: null, tenantId, role: 'super_admin' });
  return await work({
    pool,
    system,
    requestLog,
    inTenant: (tenantId, action, run) =>
      runInTenant(tenantId, (tx) => run(tx, authorOf(tenantId)), actorOf(action)),
    asSystem(action, run) {
      const actor = actorOf(action);
      return changeAs(system, actor, (tx) => run(tx, actor.requestId));
    },
    async requirePerson(email) {
      const person = await findAccount(system, foldEmail(email), '');
      if (!person) throw new Error(`There is no user with the email address ${email}.`);
      return person;
    },
    async openKeyring() {
      const keyring = await openKeyring(config, system);
      if (!keyring) throw new Error('The database is new: start Sluice once.');
      return keyring;
    },
  });
}

/**
 * Returns `null` if the database is new.
 * @throws Error if the secret is not available
 */
export async function openKeyring(config: Config, system: SystemDatabase): Promise<Keyring | null> {
  if (!(await isDatabaseInUse(system))) return null;
  const secret = findSecret(config.secret, config.dataDir);
  if (secret === null) {
    throw new Error(
      'The master key was not found: set SLUICE_SECRET, or set SLUICE_DATA_DIR to the folder that contains it.',
    );
  }
  const installed = await findInstalledSecret(system);
  const keyring = createKeyring(secret, { formerSecrets: config.formerSecrets, installed });
  if (installed && !keyring.follow(installed.secretCheck)) throw new WrongSecretError();
  return keyring;
}

/** Throws unless a database has exactly the migrations of this version. The error message contains the fix. */
export function requireSchema(applied: readonly AppliedMigration[]): void {
  const { pending, newer, edited } = compareMigrations(applied, readMigrations());
  if (applied.length === 0)
    throw new Error(
      'The database has no Sluice tables yet. Run `npx sluice setup`, or start Sluice once. If the tables should exist, check DATABASE_URL.',
    );
  if (newer)
    throw new Error(
      `The database was set up by a newer version of Sluice (it has migration ${newer}). Use the commands of that version.`,
    );
  if (edited)
    throw new Error(
      `Migration ${edited} differs from the migration that this database ran. Use the commands of the build that uses this database.`,
    );
  if (pending.length > 0)
    throw new Error(
      `The database was set up by an older version of Sluice: ${pending.length} of its migrations have not run. Make a backup and start this version once, or run the command with the version that is running now.`,
    );
}
