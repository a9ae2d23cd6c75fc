import { withdrawProxyWarning } from '#banners/proxy-warning.ts';
import type { Config } from '#config/config.ts';
import { syncRegistry } from '#console/provider-registry/sync-registry.ts';
import { migrate } from '#db/migrate.ts';
import { createPool } from '#db/pool.ts';
import { createSystemDatabase, type SystemDatabase } from '#db/system.ts';
import { findInstalledSecret } from '#master-key/store.ts';
import { createKeyring } from '#platform/keyring.ts';
import type { Logger } from '#platform/logger.ts';
import { createPasswordHasher } from '#platform/password.ts';
import { prepareLogStore } from '#request-log/open-request-log.ts';
import type { Database } from '#supervisor/supervise.ts';
import { type FirstSetup, runFirstSetup } from './run-first-setup.ts';
import { findSecretCheck, hasInstallationTable } from './store.ts';
import { syncIdentityProvider } from './sync-identity-provider.ts';

/** Returns the objects created by the first run, or `null` on later starts. */
export async function prepareDatabase(
  config: Config,
  { directConnectionString, secret }: Database,
  log: Logger,
): Promise<FirstSetup | null> {
  await migrate(directConnectionString, log);
  await prepareLogStore(config, log);
  const pool = createPool(directConnectionString, 2, 'sluice-start');
  try {
    const database = createSystemDatabase(pool);
    await syncRegistry(database);
    await withdrawProxyWarning(database);
    const setup = await runFirstSetup({
      database,
      keyring: createKeyring(secret, { formerSecrets: config.formerSecrets }),
      passwords: createPasswordHasher(),
      adminEmail: config.admin.email,
      adminPassword: config.admin.password,
      hasSandbox: config.isSandboxEnabled,
    });
    if (config.identityProvider) {
      const installed = await findInstalledSecret(database);
      const keyring = createKeyring(secret, { formerSecrets: config.formerSecrets, installed });
      await syncIdentityProvider(database, keyring, config.identityProvider, log);
    }
    return setup;
  } finally {
    await pool.end();
  }
}

/** Returns whether the database is already set up. A new secret would then make its contents unreadable. */
export async function isPrepared(directConnectionString: string): Promise<boolean> {
  const pool = createPool(directConnectionString, 1, 'sluice-start');
  try {
    return await isDatabaseInUse(createSystemDatabase(pool));
  } finally {
    await pool.end();
  }
}

/** Returns whether a database is already set up. Also works before the migrations. */
export async function isDatabaseInUse(database: SystemDatabase): Promise<boolean> {
  if (!(await hasInstallationTable(database))) return false;
  return (await findSecretCheck(database)) !== undefined;
}
