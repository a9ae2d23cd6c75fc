import { join } from 'node:path';
import type { Config } from '#config/config.ts';
import { configWarnings } from '#config/format-config.ts';
import { isPrepared, prepareDatabase } from '#console/first-run/prepare-database.ts';
import type { FirstSetup } from '#console/first-run/run-first-setup.ts';
import { checkDatabase } from '#db/check-database.ts';
import { explainExhaustion } from '#db/explain-connection-error.ts';
import { createLogger } from '#platform/logger.ts';
import { readMachineLimits } from '#platform/machine-limits.ts';
import { prepareDataFolder } from '#supervisor/data-folder.ts';
import { type Database, supervise } from '#supervisor/supervise.ts';
import { fitToDatabase } from './fit-to-database.ts';
import { formatWelcome } from './print-welcome.ts';
import { version } from './version.ts';

/** Starts the whole product in this process and its workers; runs until it is stopped. */
export async function startProduct(
  configured: Config,
  /** Called to prepare further data before the node accepts requests. */
  fillDatabase: (database: Database) => Promise<void> = async () => undefined,
): Promise<void> {
  await prepareDataFolder(configured.dataDir);
  if (configured.database) await checkAddresses(configured.database);
  const log = createLogger(configured.logLevel);
  const { config, warning } = await fitToDatabase(configured);
  if (warning) log.warn(warning);
  const { workers, connectionsPerWorker } = config;
  log.info({ workers, connectionsPerWorker, ...readMachineLimits() }, 'starting');
  let firstSetup: FirstSetup | null = null;
  const variable = 'DATABASE_URL';
  const connectionString = config.database?.url ?? '';
  await supervise({
    config,
    log,
    workerFile: join(import.meta.dirname, 'worker.ts'),
    shipperFile: join(import.meta.dirname, 'shipper/main.ts'),
    sandboxFile: join(import.meta.dirname, '../../sandbox/src/main.ts'),
    isDatabaseInUse: isPrepared,
    async prepareDatabase(database) {
      firstSetup = await prepareDatabase(config, database, log);
      await fillDatabase(database);
    },
    onOpen({ port }) {
      const address = config.http.port === 0 ? `http://localhost:${port}` : config.http.publicUrl;
      const isPasswordGiven = config.admin.password !== null;
      const warnings = [...configWarnings(config), ...(warning ? [warning] : [])];
      process.stdout.write(formatWelcome({ version, address, firstSetup, isPasswordGiven, warnings }));
    },
  }).catch((error: unknown) => {
    throw explainExhaustion(error, { variable, connectionString });
  });
}

async function checkAddresses({ url, directUrl }: NonNullable<Config['database']>): Promise<void> {
  const isPooled = url !== directUrl;
  const variable = isPooled ? 'DATABASE_DIRECT_URL' : 'DATABASE_URL';
  await checkDatabase({ variable, connectionString: directUrl }, true);
  if (isPooled) await checkDatabase({ variable: 'DATABASE_URL', connectionString: url }, false);
}
