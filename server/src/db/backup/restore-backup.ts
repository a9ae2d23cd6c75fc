import { createHash } from 'node:crypto';
import { drizzle } from 'drizzle-orm/node-postgres';
import type pg from 'pg';
import type { Logger } from '#platform/logger.ts';
import { createClient } from '../client.ts';
import { copyIn } from '../copy.ts';
import { attachDay, createDayTable, dayPartition } from '../log-partitions/day-partition.ts';
import { migrate } from '../migrate.ts';
import { compareMigrations, readMigrations } from '../migration-files.ts';
import type { SystemDatabase } from '../system.ts';
import {
  BackupFileError,
  type BackupHeader,
  backupHeader,
  backupTable,
  backupTrailer,
  type Frame,
  readBackupFile,
  type TableTotal,
  tableTotal,
} from './backup-file.ts';
import { countNodes, emptyDatabase, findContents, restoreMark } from './empty-database.ts';
import { type Constraint, dropConstraints, restoreConstraints, setTriggers } from './guards.ts';
import { listTables, quoteName } from './tables.ts';

export interface RestoreBackupOptions {
  readonly connectionString: string;
  readonly path: string;
  readonly log: Logger;
  readonly note: (text: string) => void;
  /** Called before a database that is in use is emptied. Resolves to `true` to continue. */
  readonly mayReplace: () => Promise<boolean>;
  /** Called with the header before any changes. Throws if the backup is incompatible with this installation. */
  readonly checkHeader: (header: BackupHeader) => void;
  /** Called when all data is restored, before nodes can start. Throws if the data is inconsistent. */
  readonly conclude: (database: SystemDatabase) => Promise<void>;
}

/**
 * Restores the database from a backup and migrates it to this version. A mark prevents nodes from starting until the
 * restore is complete. After a failed or killed restore, the next one empties the database first.
 * @throws BackupFileError if the file is damaged or was written by another version or build
 */
export async function restoreBackup(options: RestoreBackupOptions): Promise<TableTotal[]> {
  const frames = readBackupFile(options.path);
  const header = backupHeader.parse(await nextJson(frames, 'header'));
  requireKnownVersion(header);
  options.checkHeader(header);
  const client = createClient({
    connectionString: options.connectionString,
    application_name: 'sluice-cli',
  });
  client.on('error', () => undefined);
  let isEmptied = false;
  await client.connect();
  try {
    await client.query('SET statement_timeout = 0');
    await requireRoom(client, options);
    await emptyDatabase(client);
    isEmptied = true;
    const totals = await fill(client, header, frames, options);
    await migrate(options.connectionString, options.log, { isRestoring: true });
    await client.query(`DROP TABLE ${restoreMark}`);
    return totals;
  } catch (error) {
    if (isEmptied)
      options.note('The database was emptied. Nodes cannot start on it until a restore succeeds.');
    throw error;
  } finally {
    await client.end();
  }
}

function requireKnownVersion({ version, migrations }: BackupHeader): void {
  const { newer, edited } = compareMigrations(migrations, readMigrations());
  if (newer) {
    throw new BackupFileError(
      `The backup was made by Sluice ${version}, which is newer than this version (it has migration ${newer}). Install that version to restore it.`,
    );
  }
  if (edited)
    throw new BackupFileError(
      `The backup was made by another build: its migration ${edited} differs from the migration of this build. Use that build to restore it.`,
    );
}

async function requireRoom(client: pg.Client, { mayReplace }: RestoreBackupOptions): Promise<void> {
  const contents = await findContents(client);
  if (contents === 'something else')
    throw new Error('The database contains tables that do not belong to Sluice. Use an empty database.');
  const nodes = await countNodes(client);
  if (nodes > 0) throw new Error('Sluice is running on this database. Stop all its nodes first.');
  if (contents !== 'Sluice') return;
  if (!(await mayReplace())) {
    throw new Error(
      'The database is not empty. Nothing was changed. Use an empty database, or --replace to delete its contents.',
    );
  }
}

async function fill(
  client: pg.Client,
  header: BackupHeader,
  frames: AsyncGenerator<Frame>,
  { connectionString, log, note, conclude }: RestoreBackupOptions,
): Promise<TableTotal[]> {
  await migrate(connectionString, log, {
    upTo: header.migrations.map(({ name }) => name),
    isRestoring: true,
  });
  await makeLogDays(client, header.log_days);
  const tables = (await listTables(client)).filter(({ name }) => name !== restoreMark);
  const constraints = await dropConstraints(client);
  await setTriggers(client, tables, 'DISABLE');
  await client.query(`TRUNCATE ${tables.map(({ name }) => quoteName(name)).join(', ')}`);
  const known = new Map(tables.map((table) => [table.name, new Set(table.columns)]));
  const totals: TableTotal[] = [];
  for await (const frame of frames) {
    if (frame.kind === 'trailer') {
      await finish(client, backupTrailer.parse(frame.json), totals, constraints);
      await conclude(drizzle({ client }));
      continue;
    }
    const table = frame.kind === 'table' ? backupTable.parse(frame.json) : null;
    if (!table?.columns.every((column) => known.get(table.name)?.has(column))) {
      throw new BackupFileError('The contents of the backup do not match its version. Use another backup.');
    }
    totals.push(await fillTable(client, table, frames));
    note(`${totals.length}/${tables.length}  ${table.name}: ${totals.at(-1)?.rows} rows`);
  }
  await setTriggers(client, tables, 'ENABLE');
  return totals;
}

/** Creates the daily partitions before the copy, so that rows are written directly to them. */
async function makeLogDays(client: pg.Client, days: readonly number[]): Promise<void> {
  const database = drizzle({ client });
  for (const parent of ['request_logs', 'request_log_bodies']) {
    for (const day of days) {
      const partition = dayPartition(parent, day);
      const { rows } = await client.query('SELECT FROM pg_class WHERE oid = to_regclass($1)', [
        partition.table,
      ]);
      if (rows.length > 0) continue;
      await createDayTable(database, parent, partition);
      await attachDay(database, parent, partition);
    }
  }
}

async function fillTable(
  client: pg.Client,
  { name, columns }: { name: string; columns: string[] },
  frames: AsyncGenerator<Frame>,
): Promise<TableTotal> {
  const hash = createHash('sha256');
  let end: TableTotal | undefined;
  async function* chunks(): AsyncGenerator<Buffer> {
    for (let step = await frames.next(); !step.done; step = await frames.next()) {
      if (step.value.kind === 'end') {
        end = tableTotal.parse(step.value.json);
        return;
      }
      if (step.value.kind !== 'data') break;
      hash.update(step.value.bytes);
      yield step.value.bytes;
    }
    throw new BackupFileError(`The backup ends in the middle of the table ${name}. Use another backup.`);
  }
  const list = columns.map(quoteName).join(', ');
  const rows = await copyIn(client, `COPY ${quoteName(name)} (${list}) FROM STDIN`, chunks());
  const total = { name, rows, sha256: hash.digest('hex') };
  if (end?.rows !== rows || end.sha256 !== total.sha256 || end.name !== name) {
    throw new BackupFileError(`The table ${name} is damaged in the backup. Use another backup.`);
  }
  return total;
}

async function finish(
  client: pg.Client,
  { tables, sequences }: { tables: TableTotal[]; sequences: { name: string; next: string }[] },
  totals: readonly TableTotal[],
  constraints: readonly Constraint[],
): Promise<void> {
  if (JSON.stringify(tables) !== JSON.stringify(totals))
    throw new BackupFileError('Some tables are missing from the backup. Use another backup.');
  for (const { name, next } of sequences) {
    await client.query('SELECT setval(to_regclass($1), $2, false)', [quoteName(name), next]);
  }
  await restoreConstraints(client, constraints);
}

async function nextJson(frames: AsyncGenerator<Frame>, kind: Frame['kind']): Promise<unknown> {
  const { value } = await frames.next();
  if (value?.kind !== kind || !('json' in value))
    throw new BackupFileError('The backup has no header. Use another backup.');
  return value.json;
}
