import type { Config } from '#config/config.ts';
import { readEnvironment } from '#config/read-config.ts';
import { createPool } from '#db/pool.ts';
import { createSystemDatabase } from '#db/system.ts';
import { findInstalledSecret } from '#master-key/store.ts';
import { createKeyring } from '#platform/keyring.ts';
import type { Logger } from '#platform/logger.ts';
import type { Database } from '#supervisor/supervise.ts';
import { applyConfiguration } from './apply.ts';
import { ConfigurationError } from './faults.ts';
import { formatPlans } from './format-plan.ts';
import { withDeps } from './open-deps.ts';
import { parseConfiguration, readSource } from './read-files.ts';
import type { WantedTenant } from './validate.ts';

class StartConfigurationError extends Error {
  override readonly name = 'StartConfigurationError';
}

/**
 * Reads and validates the configuration file of the start; returns `null` if none is configured.
 * @throws Error with every fault
 */
export function readConfigurationFile({
  configurationFile: path,
}: Pick<Config, 'configurationFile'>): readonly WantedTenant[] | null {
  if (path === null) return null;
  try {
    return parseConfiguration(readSource(path));
  } catch (error) {
    throw explain(path, error);
  }
}

/**
 * Applies the configuration at startup. If several nodes start concurrently, one node applies it and the others find
 * nothing to change.
 * @throws Error with every fault
 */
export async function applyAtStart(
  config: Config,
  tenants: readonly WantedTenant[],
  { directConnectionString, secret }: Database,
  log: Logger,
): Promise<void> {
  const source = config.configurationFile ?? '';
  const pool = createPool(directConnectionString, 2, 'sluice-start');
  try {
    const system = createSystemDatabase(pool);
    const installed = await findInstalledSecret(system);
    const keyring = createKeyring(secret, { formerSecrets: config.formerSecrets, installed });
    const { canReachPrivateEndpoints, http } = config;
    const surroundings = {
      keyring,
      canReachPrivateEndpoints,
      publicUrl: http.publicUrl,
      env: readEnvironment(),
    };
    const words = { isPlan: false, prunes: false, releases: false };
    const plans = await withDeps(surroundings, (deps) =>
      applyConfiguration(deps, system, tenants, {
        ...words,
        source,
        actor: {
          userId: null,
          name: source,
          action: 'applyConfiguration',
          requestId: crypto.randomUUID(),
          address: 'start',
        },
        note: (text) => log.info(text),
      }),
    );
    for (const line of formatPlans(plans, words).split('\n')) if (line !== '') log.info(line);
  } catch (error) {
    throw explain(source, error);
  } finally {
    await pool.end();
  }
}

function explain(path: string, error: unknown): unknown {
  if (error instanceof ConfigurationError)
    return new StartConfigurationError(
      `The configuration SLUICE_CONFIG=${path} is not valid:\n${error.message}`,
    );
  return error;
}
