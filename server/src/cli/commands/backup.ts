import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import type { Config } from '#config/config.ts';
import type { BackupHeader } from '#db/backup/backup-file.ts';
import { recordBackup } from '#db/backup/backup-history.ts';
import { restoreBackup } from '#db/backup/restore-backup.ts';
import { writeBackup } from '#db/backup/write-backup.ts';
import { createPool } from '#db/pool.ts';
import { createSystemDatabase, type SystemDatabase } from '#db/system.ts';
import { findDrift } from '#ledger/prove.ts';
import { WrongSecretError } from '#master-key/wrong-secret-error.ts';
import { createKeyring } from '#platform/keyring.ts';
import { createLogger } from '#platform/logger.ts';
import { version } from '#platform/version.ts';
import { prepareDataFolder } from '#supervisor/data-folder.ts';
import { findSecret, keepSecret } from '#supervisor/secret.ts';
import { type Command, type CommandInput, operandOf } from '../command.ts';
import { openDatabase } from '../operator.ts';

export const backup: Command = {
  name: 'backup',
  operands: ['FILE'],
  summary: 'Writes the whole database to one file; Sluice may be running',
  details:
    'The file is a consistent snapshot of the database. It does not include data that nodes have not written yet (a few seconds of the request log).\nEncrypted values cannot be read without the master key: store the key elsewhere, or include it with --with-secret.',
  options: {
    force: { summary: 'replaces FILE if it exists' },
    'with-secret': { summary: 'includes the master key in the file; protect the file like the key' },
  },
  async run(call) {
    const { config, options, note } = call;
    const path = resolve(operandOf(call, 'FILE'));
    const secret = options['with-secret'] === true ? findSecret(config.secret, config.dataDir) : undefined;
    if (secret === null)
      throw new Error('The master key was not found: set SLUICE_SECRET, or omit --with-secret.');
    await using running = new AsyncDisposableStack();
    const connectionString = await openDatabase(config, running);
    const tables = await writeBackup({
      connectionString,
      path,
      canReplace: options.force === true,
      version,
      note,
      ...(secret && { secret }),
    });
    const { size: bytes } = statSync(path);
    const rows = tables.reduce((sum, table) => sum + table.rows, 0);
    await record(connectionString, { bytes, rows }).catch((error: Error) =>
      note(`The backup is complete, but could not be recorded in the database: ${error.message}`),
    );
    return {
      json: { path, bytes, rows, tables, has_secret: secret !== undefined },
      text: `Wrote ${rows} rows of ${tables.length} tables (${bytes} bytes) to ${path}.`,
    };
  },
};

async function record(connectionString: string, written: { bytes: number; rows: number }): Promise<void> {
  const pool = createPool(connectionString, 1, 'sluice-backup');
  try {
    await recordBackup(createSystemDatabase(pool), written);
  } finally {
    await pool.end();
  }
}

export const restore: Command = {
  name: 'restore',
  operands: ['FILE'],
  summary: 'Restores a backup into an empty database and migrates it to this version',
  details:
    'Stop all nodes first. After an interrupted restore Sluice does not start on the database: run the command again.\nThe master key must be the one of the backup: in SLUICE_SECRET, in the data folder, or in the backup file.',
  options: {
    replace: { summary: 'deletes the contents of the database; asks for confirmation at a terminal' },
    yes: { summary: 'skips the confirmation' },
  },
  async run(call) {
    const { config, options, input, note } = call;
    const path = resolve(operandOf(call, 'FILE'));
    let secretToKeep: string | null = null;
    await using running = new AsyncDisposableStack();
    const connectionString = await openDatabase(config, running, { canCreate: config.isInstallationNamed });
    const tables = await restoreBackup({
      connectionString,
      path,
      log: createLogger('error'),
      note,
      mayReplace: async () => options.replace === true && (options.yes === true || (await confirm(input))),
      checkHeader(header) {
        secretToKeep = findSecretOf(config, header);
      },
      async conclude(database) {
        await requireSoundLedger(database);
        if (secretToKeep === null) return;
        await prepareDataFolder(config.dataDir);
        keepSecret(config.dataDir, secretToKeep);
      },
    });
    const rows = tables.reduce((sum, table) => sum + table.rows, 0);
    return {
      json: { path, rows, tables },
      text: `${rows} rows of ${tables.length} tables are restored. You can start Sluice now.`,
    };
  },
};

async function confirm(input: CommandInput): Promise<boolean> {
  if (!input.isTTY)
    throw new Error('--replace asks for confirmation at a terminal. Without a terminal, add --yes.');
  const question = createInterface({ input, output: process.stderr });
  const answer = await question.question(
    'This deletes everything in the database. Type "replace" to continue: ',
  );
  question.close();
  return answer.trim() === 'replace';
}

/**
 * Returns the secret in the backup if this installation lacks a secret and must store it, otherwise `null`.
 * @throws Error if neither has a secret, or WrongSecretError if the backup was encrypted with another secret
 */
function findSecretOf({ secret, dataDir }: Config, header: BackupHeader): string | null {
  const own = findSecret(secret, dataDir);
  const used = own ?? header.secret;
  if (used === undefined) {
    throw new Error(
      `The master key of the backup is required: set SLUICE_SECRET, or write it to ${dataDir}/secret.`,
    );
  }
  if (createKeyring(used).secretCheck.toString('base64') !== header.secret_check)
    throw new WrongSecretError();
  return own === null ? used : null;
}

async function requireSoundLedger(database: SystemDatabase): Promise<void> {
  const drifts = await findDrift(database, 'sum');
  if (drifts.length === 0) return;
  const tenants = drifts.map(({ tenantId }) => tenantId).join(', ');
  throw new Error(
    `The balances of the tenants ${tenants} differ from their ledger. The backup was not restored.`,
  );
}
