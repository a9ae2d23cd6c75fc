import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { recordBackup } from '#db/backup/backup-history.ts';
import { writeBackup } from '#db/backup/write-backup.ts';
import { createPool } from '#db/pool.ts';
import { createSystemDatabase } from '#db/system.ts';
import { findSecret } from '#supervisor/secret.ts';
import { version } from '../../version.ts';
import { type Command, operandOf } from '../command.ts';
import { openDatabase } from '../open-database.ts';

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
