import { isDatabaseInUse } from '#console/first-run/is-database-in-use.ts';
import { prepareDatabase } from '#console/first-run/prepare-database.ts';
import { readApplied } from '#db/migration-files.ts';
import { createPool } from '#db/pool.ts';
import { createSystemDatabase } from '#db/system.ts';
import { createLogger } from '#platform/logger.ts';
import { findSecret } from '#supervisor/secret.ts';
import type { Command } from '../command.ts';
import { openDatabase } from '../open-database.ts';
import { requireSchema } from '../require-schema.ts';

export const setup: Command = {
  name: 'setup',
  summary: 'Creates the tables and the first administrator in an empty database, as a first start does',
  details:
    'The database itself must exist, and SLUICE_SECRET must be set: every node needs the same.\nThe administrator is the one of SLUICE_ADMIN_EMAIL and SLUICE_ADMIN_PASSWORD; a password that is not set is generated and printed once.',
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
    if (!made) throw new Error('Another start has set up this database meanwhile. Nothing was changed.');
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
      throw new Error('The database is set up already. Nothing was changed.');
  } finally {
    await pool.end();
  }
}
