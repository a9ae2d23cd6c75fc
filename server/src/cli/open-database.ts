import type { Config } from '#config/config.ts';
import { addressOfRunning, startEmbeddedServer } from '#db/embedded-server/start-embedded-server.ts';
import { FileLockHeldError } from '#platform/file-lock.ts';
import { createLogger } from '#platform/logger.ts';
import { lockDataFolder } from '#supervisor/data-folder.ts';

const maxConnections = 10;

/** The address of the database of an installation; its own PostgreSQL is started for as long, unless Sluice runs. */
export async function openDatabase(config: Config, running: AsyncDisposableStack): Promise<string> {
  if (config.database) return config.database.directUrl;
  const { dataDir } = config;
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
