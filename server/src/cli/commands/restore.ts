import { resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import type { Config } from '#config/config.ts';
import { WrongSecretError } from '#console/first-run/wrong-secret-error.ts';
import type { BackupHeader } from '#db/backup/backup-file.ts';
import { restoreBackup } from '#db/backup/restore-backup.ts';
import type { SystemDatabase } from '#db/system.ts';
import { findDrift } from '#ledger/find-drift.ts';
import { createKeyring } from '#platform/keyring.ts';
import { createLogger } from '#platform/logger.ts';
import { prepareDataFolder } from '#supervisor/data-folder.ts';
import { findSecret, keepSecret } from '#supervisor/secret.ts';
import { type Command, operandOf } from '../command.ts';
import { openDatabase } from '../open-database.ts';

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
