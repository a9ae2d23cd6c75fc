import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '#config/config.ts';
import { checkDatabase } from '#db/check-database.ts';
import { clusterDirOf } from '#db/embedded-server/cluster.ts';
import { addressOfRunning, startEmbeddedServer } from '#db/embedded-server/start-embedded-server.ts';
import { FileLockHeldError } from '#platform/file-lock.ts';
import { createLogger } from '#platform/logger.ts';
import { lockDataFolder, prepareDataFolder, requireDataFolder } from '#supervisor/data-folder.ts';

const maxConnections = 10;

export interface OpenDatabaseOptions {
  /** Whether a missing data folder or embedded database is created; only a restore does. */
  readonly canCreate?: boolean;
}

/**
 * Returns the URL of the installation's database; starts the embedded PostgreSQL for the duration unless Sluice is
 * running.
 * @throws Error with the cause and the fix, as at startup, if the database cannot be used or does not exist
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
    `The data folder ${dataDir} holds no database. Set SLUICE_DATA_DIR to the folder of the installation, or DATABASE_URL to its database; a new installation is created by its first start (npm start).`,
  );
}
