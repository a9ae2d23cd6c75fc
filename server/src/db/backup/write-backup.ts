import { createHash } from 'node:crypto';
import type pg from 'pg';
import { createClient } from '../client.ts';
import { copyOut } from '../copy.ts';
import { dayOfId } from '../log-partitions/day-partition.ts';
import { readApplied } from '../migration-files.ts';
import { type BackupHeader, type Frame, type TableTotal, writeBackupFile } from './backup-file.ts';
import { type BackedTable, listSequences, listTables, quoteName } from './tables.ts';

export interface WriteBackupOptions {
  readonly connectionString: string;
  readonly path: string;
  readonly canReplace: boolean;
  readonly version: string;
  /** Only set if the operator wants the backup to include the secret. */
  readonly secret?: string;
  readonly note: (text: string) => void;
}

/**
 * Writes a consistent snapshot of all tables while requests continue, using one read-only transaction and COPY.
 * Excludes data that is still in nodes' journals. Reading pauses while the file is being written, which limits memory
 * use.
 */
export async function writeBackup(options: WriteBackupOptions): Promise<TableTotal[]> {
  const client = createClient({
    connectionString: options.connectionString,
    application_name: 'sluice-backup',
  });
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    await client.query('SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0');
    const header = await readHeader(client, options);
    const totals: TableTotal[] = [];
    await writeBackupFile(options, listFrames(client, header, totals, options.note));
    return totals;
  } finally {
    await client.end();
  }
}

async function readHeader(client: pg.Client, { version, secret }: WriteBackupOptions): Promise<BackupHeader> {
  const migrations = await readApplied(client);
  const { rows } =
    migrations.length > 0 ? await client.query('SELECT secret_check FROM installation') : { rows: [] };
  const check: unknown = rows[0]?.secret_check;
  if (!Buffer.isBuffer(check))
    throw new Error('There is nothing to back up: Sluice has never been started on this database.');
  return {
    version,
    created_at: new Date().toISOString(),
    migrations,
    secret_check: check.toString('base64'),
    ...(secret !== undefined && { secret }),
    log_days: await listLogDays(client),
  };
}

/** Returns the days with rows, as days since 1970-01-01. Includes days whose rows are in the default partition. */
async function listLogDays(client: pg.Client): Promise<number[]> {
  const { rows } = await client.query<{ id: string }>(
    `WITH RECURSIVE first_of_day AS (
       (SELECT id FROM request_logs ORDER BY id LIMIT 1)
       UNION ALL
       SELECT (SELECT id FROM request_logs WHERE id >= uuid_floor(date_trunc('day', to_timestamp(
         ('x' || lpad(left(replace(f.id::text, '-', ''), 12), 16, '0'))::bit(64)::bigint / 1000.0), 'UTC') + interval '1 day')
         ORDER BY id LIMIT 1)
       FROM first_of_day f WHERE f.id IS NOT NULL)
     SELECT id FROM first_of_day WHERE id IS NOT NULL`,
  );
  return rows.map(({ id }) => dayOfId(id));
}

async function* listFrames(
  client: pg.Client,
  header: BackupHeader,
  totals: TableTotal[],
  note: (text: string) => void,
): AsyncGenerator<Frame> {
  yield { kind: 'header', json: header };
  const tables = await listTables(client);
  for (const [index, table] of tables.entries()) {
    const total = yield* copyTable(client, table);
    totals.push(total);
    yield { kind: 'end', json: total };
    note(`${index + 1}/${tables.length}  ${table.name}: ${total.rows} rows`);
  }
  // Read the sequences last: they are not transactional, so their values exceed all ids in the snapshot.
  yield { kind: 'trailer', json: { tables: totals, sequences: await listSequences(client) } };
}

async function* copyTable(
  client: pg.Client,
  { name, columns }: BackedTable,
): AsyncGenerator<Frame, TableTotal> {
  yield { kind: 'table', json: { name, columns } };
  const hash = createHash('sha256');
  const list = columns.map(quoteName).join(', ');
  const source = copyOut(client, `COPY (SELECT ${list} FROM ${quoteName(name)}) TO STDOUT`);
  let step = await source.next();
  for (; !step.done; step = await source.next()) {
    hash.update(step.value);
    yield { kind: 'data', bytes: step.value };
  }
  return { name, rows: step.value, sha256: hash.digest('hex') };
}
