import { join } from 'node:path';
import { type Config, nameNode } from '#config/config.ts';
import { fitConnections } from '#config/fit-connections.ts';
import { configWarnings } from '#config/format-config.ts';
import { applyAtStart, readConfigurationFile } from '#configuration-file/apply-at-start.ts';
import { isPrepared, prepareDatabase } from '#console/first-run/prepare-database.ts';
import type { FirstSetup } from '#console/first-run/run-first-setup.ts';
import { checkDatabase } from '#db/check-database.ts';
import { explainExhaustion } from '#db/explain-connection-error.ts';
import { isPooled } from '#db/is-pooled.ts';
import { readConnectionCapacity } from '#db/read-connection-capacity.ts';
import { createLogger } from '#platform/logger.ts';
import { readMachineLimits } from '#platform/machine-limits.ts';
import { version } from '#platform/version.ts';
import { prepareDataFolder } from '#supervisor/data-folder.ts';
import { type Database, supervise } from '#supervisor/supervise.ts';

/** Minimum number of nodes that share the connections, so that a node can be replaced without an outage. */
const nodesMin = 2;

/**
 * Returns the configuration with as many workers and connections as the database has room for, and a warning if this
 * is fewer than configured. Changes nothing behind a pooler or if the operator has set a cap.
 * @throws Error if not even one worker fits
 */
async function fitToDatabase(config: Config): Promise<{ config: Config; warning: string | null }> {
  const { database, isConnectionCapGiven } = config;
  if (
    !database ||
    isConnectionCapGiven ||
    isPooled({ connectionString: database.url, directConnectionString: database.directUrl })
  )
    return { config, warning: null };
  const capacity = await readConnectionCapacity(database.url);
  const others = capacity.nodeNames.filter((name) => name !== nameNode(config, process.pid)).length;
  const nodes = Math.max(others + 1, config.nodes ?? nodesMin);
  const { warning, ...fitted } = fitConnections(config.workers, { ...capacity, nodes });
  return { config: { ...config, ...fitted }, warning };
}

export async function startProduct(
  configured: Config,
  /** Called before the node accepts requests. */
  fillDatabase: (database: Database) => Promise<void> = async () => undefined,
): Promise<void> {
  const configuration = readConfigurationFile(configured);
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
    workerFile: join(import.meta.dirname, '../worker/main.ts'),
    shipperFile: join(import.meta.dirname, '../shipper/main.ts'),
    sandboxFile: join(import.meta.dirname, '../../../sandbox/src/main.ts'),
    isDatabaseInUse: isPrepared,
    async prepareDatabase(database) {
      firstSetup = await prepareDatabase(config, database, log);
      if (configuration) await applyAtStart(config, configuration, database, log);
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

export interface Welcome {
  readonly version: string;
  readonly address: string;
  /** Data of the first setup; `null` on all later starts. */
  readonly firstSetup: FirstSetup | null;
  /** Whether the operator chose the password. A chosen password is not printed. */
  readonly isPasswordGiven: boolean;
  readonly warnings: readonly string[];
}

/** Only the first start prints secrets. */
function formatWelcome({ version, address, firstSetup, isPasswordGiven, warnings }: Welcome): string {
  const lines = [`Sluice ${version} is ready.`, '', `  Console   ${address}/admin`];
  if (firstSetup) {
    lines.push(
      `  Email     ${firstSetup.email}`,
      `  Password  ${isPasswordGiven ? 'as set in SLUICE_ADMIN_PASSWORD' : `${firstSetup.password}   (shown once)`}`,
      '',
      '  A first request, through the gateway to the built-in sandbox provider:',
      '',
      `  curl ${address}/api/v1/chat/completions \\`,
      `    -H "Authorization: Bearer ${firstSetup.apiKey}" \\`,
      '    -H "Content-Type: application/json" \\',
      `    -d '{"model": "sandbox-normal", "messages": [{"role": "user", "content": "Say hello"}]}'`,
      '',
      '  This key expires in 24 hours, or as soon as another key is used. Create permanent keys in the console, under Users.',
    );
  }
  for (const warning of warnings) lines.push('', `  Warning: ${warning}`);
  return `${lines.join('\n')}\n`;
}
