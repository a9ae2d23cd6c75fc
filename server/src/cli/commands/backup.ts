import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import type { Config } from '#config/config.ts';
import { WrongSecretError } from '#console/first-run/wrong-secret-error.ts';
import type { BackupHeader } from '#db/backup/backup-file.ts';
import { recordBackup } from '#db/backup/backup-history.ts';
import { restoreBackup } from '#db/backup/restore-backup.ts';
import { writeBackup } from '#db/backup/write-backup.ts';
import { createPool } from '#db/pool.ts';
import { createSystemDatabase, type SystemDatabase } from '#db/system.ts';
import { findDrift } from '#ledger/prove.ts';
import { createKeyring } from '#platform/keyring.ts';
import { createLogger } from '#platform/logger.ts';
import { prepareDataFolder } from '#supervisor/data-folder.ts';
import { findSecret, keepSecret } from '#supervisor/secret.ts';
import { version } from '../../version.ts';
import { type Command, operandOf } from '../command.ts';
import { openDatabase } from '../operator.ts';

export const backup: Command = {
  name: 'backup',
  operands: ['FILE'],
  summary: 'Writes everything that the database holds into one file, while Sluice runs or not',
  details:
    'The file is one moment of the database. What nodes have not written yet (some seconds of the request log) is not in it.\nWithout the master key nothing sealed can be read: keep the key elsewhere, or put it in with --with-secret.',
  options: {
    force: { summary: 'replaces FILE if it exists' },
    'with-secret': { summary: 'puts the master key into the file: then guard the file like the key' },
  },
  async run(call) {
    const { config, options, note } = call;
    const path = resolve(operandOf(call, 'FILE'));
    const secret = options['with-secret'] === true ? findSecret(config.secret, config.dataDir) : undefined;
    if (secret === null)
      throw new Error('The master key is not here: set SLUICE_SECRET, or leave out --with-secret.');
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
      note(`The backup is complete, but the database does not record it: ${error.message}`),
    );
    return {
      json: { path, bytes, rows, tables, has_secret: secret !== undefined },
      text: `${path} holds ${rows} rows of ${tables.length} tables in ${bytes} bytes.`,
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
  summary: 'Makes an empty database what a backup holds, and brings it to this version',
  details:
    'Stop all nodes before. A restore that is broken off leaves a database on which nothing starts: run it again.\nThe master key must be that of the backup: in SLUICE_SECRET, in the data folder, or in the file itself.',
  options: {
    replace: { summary: 'drops what the database holds; asks before, at a terminal' },
    yes: { summary: 'does not ask' },
  },
  async run(call) {
    const { config, options, note } = call;
    const path = resolve(operandOf(call, 'FILE'));
    let secretToKeep: string | null = null;
    await using running = new AsyncDisposableStack();
    const connectionString = await openDatabase(config, running, { canCreate: config.isInstallationNamed });
    const tables = await restoreBackup({
      connectionString,
      path,
      log: createLogger('error'),
      note,
      mayReplace: async () => options.replace === true && (options.yes === true || (await confirm())),
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
      text: `${rows} rows of ${tables.length} tables are restored. Sluice may be started.`,
    };
  },
};

async function confirm(): Promise<boolean> {
  if (!process.stdin.isTTY) throw new Error('--replace asks at a terminal; elsewhere give --yes too.');
  const question = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await question.question('All that the database holds is dropped. Type "replace" to go on: ');
  question.close();
  return answer.trim() === 'replace';
}

/**
 * Returns the secret of the backup if there is none here yet.
 * @throws Error if there is none, or a different one
 */
function findSecretOf({ secret, dataDir }: Config, header: BackupHeader): string | null {
  const own = findSecret(secret, dataDir);
  const used = own ?? header.secret;
  if (used === undefined) {
    throw new Error(
      `The master key of the backup is needed: set SLUICE_SECRET, or put it into ${dataDir}/secret.`,
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
    `The ledger of the tenants ${tenants} does not give their balances: the backup is not restored.`,
  );
}
