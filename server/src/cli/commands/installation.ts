import { isDatabaseInUse, prepareDatabase } from '#console/first-run/prepare-database.ts';
import { readApplied } from '#db/migration-files.ts';
import { createPool } from '#db/pool.ts';
import { createSystemDatabase } from '#db/system.ts';
import { rotateMasterKey } from '#master-key/rotate.ts';
import { createLogger } from '#platform/logger.ts';
import { build, version } from '#platform/version.ts';
import { findSecret } from '#supervisor/secret.ts';
import type { Command } from '../command.ts';
import { asOperator, openDatabase, requireSchema } from '../operator.ts';

export const setup: Command = {
  name: 'setup',
  summary:
    'Creates the tables and the first administrator in an empty database, like the first start of Sluice',
  details:
    'The database itself must exist, and SLUICE_SECRET must be set to the same value on every node.\nSLUICE_ADMIN_EMAIL and SLUICE_ADMIN_PASSWORD define the administrator; if no password is set, one is generated and printed once.',
  async run({ config }) {
    const secret = findSecret(config.secret, config.dataDir);
    if (secret === null) throw new Error('Set SLUICE_SECRET: the master key, at least 32 characters.');
    await using running = new AsyncDisposableStack();
    const directConnectionString = await openDatabase(config, running);
    await requireEmpty(directConnectionString);
    const made = await prepareDatabase(
      config,
      { connectionString: directConnectionString, directConnectionString, secret },
      createLogger('error'),
    );
    if (!made)
      throw new Error('Another process has set up this database in the meantime. Nothing was changed.');
    const isPasswordGiven = config.admin.password !== null;
    const { email, password } = made;
    return {
      json: { email, ...(!isPasswordGiven && { password }) },
      text: `The database is set up. Administrator: ${email}${isPasswordGiven ? '' : `\nPassword   ${password}`}`,
    };
  },
};

async function requireEmpty(connectionString: string): Promise<void> {
  const pool = createPool(connectionString, 1, 'sluice-cli');
  try {
    const applied = await readApplied(pool);
    if (applied.length === 0) return;
    requireSchema(applied);
    if (await isDatabaseInUse(createSystemDatabase(pool)))
      throw new Error('The database is already set up. Nothing was changed.');
  } finally {
    await pool.end();
  }
}

const brokenAdvice =
  'All secrets remain readable. If an earlier rotation did not finish, append the secret that was used before that rotation to SLUICE_FORMER_SECRET after a comma, and run this command again.';

export const rotateKey: Command = {
  name: 'rotate-key',
  summary: 'Replaces the master key; Sluice may be running',
  details:
    'First restart each node with SLUICE_SECRET set to the new key and SLUICE_FORMER_SECRET set to the previous one, and run this command with the same variables.\nIt is safe to run it again after an interruption. API keys and sessions stay valid.',
  async run({ config, note }) {
    const secret = findSecret(config.secret, config.dataDir);
    const { formerSecrets } = config;
    if (secret === null || formerSecrets.length === 0) {
      throw new Error(
        'Set SLUICE_SECRET to the new master key and SLUICE_FORMER_SECRET to the previous one.',
      );
    }
    const { changed, broken, formerSecretUntil } = await asOperator(config, ({ system }) =>
      rotateMasterKey({ database: system, secret, formerSecrets, note }),
    );
    const until = formerSecretUntil.toISOString();
    const lost = broken.map((place) => `\nCannot be decrypted with any of the secrets: ${place}`).join('');
    const advice = broken.length > 0 ? `\n${brokenAdvice}` : '';
    return {
      json: { resealed: changed, broken, former_secret_needed_until: until },
      text: `${changed} secrets were encrypted again. You can remove SLUICE_FORMER_SECRET after ${until}; until then sessions and repeated requests use it.${lost}${advice}`,
      exitCode: broken.length === 0 ? 0 : 1,
    };
  },
};

export const printVersion: Command = {
  name: 'version',
  isLocal: true,
  summary: 'Prints the version; also --version',
  async run() {
    return { json: { version, build }, text: build ? `sluice ${version} (${build})` : `sluice ${version}` };
  },
};
