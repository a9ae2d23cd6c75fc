import type { Config } from '#config/config.ts';
import { isDatabaseInUse } from '#console/first-run/is-database-in-use.ts';
import { WrongSecretError } from '#console/first-run/wrong-secret-error.ts';
import type { SystemDatabase } from '#db/system.ts';
import { findInstalledSecret } from '#master-key/store.ts';
import { createKeyring, type Keyring } from '#platform/keyring.ts';
import { findSecret } from '#supervisor/secret.ts';

/**
 * Returns the keys of this installation; `null` if its database is new.
 * @throws Error if its secret is not available
 */
export async function openKeyring(config: Config, system: SystemDatabase): Promise<Keyring | null> {
  if (!(await isDatabaseInUse(system))) return null;
  const secret = findSecret(config.secret, config.dataDir);
  if (secret === null) {
    throw new Error(
      'The master key is not here: set SLUICE_SECRET, or SLUICE_DATA_DIR to the folder that holds it.',
    );
  }
  const installed = await findInstalledSecret(system);
  const keyring = createKeyring(secret, { formerSecrets: config.formerSecrets, installed });
  if (installed && !keyring.follow(installed.secretCheck)) throw new WrongSecretError();
  return keyring;
}
