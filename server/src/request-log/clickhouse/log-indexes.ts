import { setTimeout as delay } from 'node:timers/promises';
import type { ClickhouseConnection } from './connection.ts';
import { type LogTables, textIndex } from './log-tables.ts';
import { floorOf } from './row-id.ts';

/** PostgreSQL uses Unicode's simple case mapping, without the second character of İ and the final form of Σ. */
export const folded = (text: string) => `lowerUTF8(replaceAll(replaceAll(${text}, 'İ', 'i'), 'Σ', 'σ'))`;

/**
 * Texts of a row that searches read, separated by a character that no text contains. Must equal the expression of the
 * index, otherwise searches do not use the index.
 */
export const searchedText = folded(
  `concat(ifNull(prompt, ''), '\\0', ifNull(response, ''), if(status = 'success', '', concat('\\0', ifNull(error_code, ''), '\\0', ifNull(error_message, ''))))`,
);

/** The last 8 hexadecimal digits of an id. */
export const idEnd = 'toUInt32(bitAnd(id, 4294967295))';

const indexes: Readonly<Record<string, string>> = {
  client_request: 'client_request_id TYPE bloom_filter(0.01) GRANULARITY 4',
  model: 'model TYPE bloom_filter(0.01) GRANULARITY 64',
  cost: 'cost_nano_usd TYPE minmax GRANULARITY 1',
  id_end: `${idEnd} TYPE bloom_filter(0.01) GRANULARITY 8`,
  [textIndex]: `${searchedText} TYPE text(tokenizer = ngrams(4), posting_list_codec = 'bitpacking')`,
};
/** Keeps merges from building the text index. */
const mergeSetting = `exclude_materialize_skip_indexes_on_merge = '${textIndex}'`;

/** First ClickHouse version in which text indexes do not require an experimental setting. */
const [firstMajor, firstMinor] = [26, 2];

/** Whether the server has text indexes; without them, a search reads all texts. */
export async function hasTextIndexes({ read }: ClickhouseConnection): Promise<boolean> {
  const [found] = await read<{ version: string }>('SELECT version() AS version');
  const [major = 0, minor = 0] = (found?.version ?? '').split('.').map(Number);
  return major > firstMajor || (major === firstMajor && minor >= firstMinor);
}

const namesOf = (hasTextIndex: boolean) =>
  Object.keys(indexes).filter((name) => hasTextIndex || name !== textIndex);

export function indexesOfTable(hasTextIndex: boolean): { indexes: string[]; settings: string[] } {
  return {
    indexes: namesOf(hasTextIndex).map((name) => `INDEX ${name} ${indexes[name]}`),
    settings: hasTextIndex ? [mergeSetting] : [],
  };
}

/** Returns the statements that add indexes to an existing table. They do not rewrite its parts. */
export function indexStatements({ stored, onCluster }: LogTables, names: readonly string[]): string[] {
  if (names.length === 0) return [];
  const alter = `ALTER TABLE ${stored}${onCluster}`;
  return [
    // Change the setting before the index exists, so that no merge builds the index.
    ...(names.includes(textIndex) ? [`${alter} MODIFY SETTING ${mergeSetting}`] : []),
    `${alter} ${names.map((name) => `ADD INDEX IF NOT EXISTS ${name} ${indexes[name]}`).join(', ')}`,
  ];
}

/** Adds missing indexes to the table. `indexDays` builds them for existing parts. */
export async function addIndexes(connection: ClickhouseConnection, hasTextIndex: boolean): Promise<void> {
  const existing = await listIndexes(connection);
  const missing = namesOf(hasTextIndex).filter((name) => !existing.has(name));
  for (const statement of indexStatements(connection.tables, missing)) await connection.run(statement);
}

async function listIndexes({ read, tables }: ClickhouseConnection): Promise<ReadonlySet<string>> {
  const found = await read<{ name: string }>(
    'SELECT name FROM system.data_skipping_indices WHERE database = currentDatabase() AND table = {table:String}',
    { params: { table: tables.stored } },
  );
  return new Set(found.map(({ name }) => name));
}

const dayMs = 86_400_000;
const pollMs = 200;
/** Rows of a day may arrive for some time after its end, and its parts are still merged. */
const settledMs = 3_600_000;
/** Days up to this size in bytes are first merged into one part, because a later merge would drop the index. */
const mergedBytesMax = 10_000_000_000;
/**
 * Number of days per statement. Without replication, each statement creates hard links for the parts of all other days,
 * and retention waits until the statement is complete.
 */
const daysAtOnce = 7;

/**
 * Builds the text index of past days that have parts without it, newest day first, and returns the number of days.
 * After `signal` aborts, ClickHouse continues a build that has started.
 */
export async function indexDays(
  connection: ClickhouseConnection,
  nowMs: number,
  signal: AbortSignal,
): Promise<number> {
  if (!(await listIndexes(connection)).has(textIndex)) return 0;
  const { onCluster, stored } = connection.tables;
  const awaitBuild = async () => {
    while (!signal.aborted && (await isBuilding(connection))) await delay(pollMs);
  };
  // Wait for a build that an interrupted run has started.
  await awaitBuild();
  const days: Day[] = [];
  for (const day of await listPastDays(connection, nowMs))
    if (await lacksTextIndex(connection, day.partition)) days.push(day);
  let built = 0;
  for (; built < days.length && !signal.aborted; built += daysAtOnce) {
    const some = days.slice(built, built + daysAtOnce);
    for (const { partition } of some.filter(({ bytes }) => Number(bytes) <= mergedBytesMax))
      await connection.run(
        `OPTIMIZE TABLE ${stored}${onCluster} PARTITION '${partition}' FINAL SETTINGS optimize_skip_merged_partitions = 1`,
      );
    const commands = some.flatMap(({ partition }) =>
      namesOf(true).map((name) => `MATERIALIZE INDEX ${name} IN PARTITION '${partition}'`),
    );
    await connection.run(
      `ALTER TABLE ${stored}${onCluster} ${commands.join(', ')} SETTINGS mutations_sync = 0`,
    );
    await awaitBuild();
  }
  return Math.min(built, days.length);
}

interface Day {
  readonly partition: string;
  readonly bytes: string;
}

/** Returns the days on this server that ended at least one hour ago, newest first. */
function listPastDays({ read, tables }: ClickhouseConnection, nowMs: number) {
  const end = new Date(nowMs - settledMs).toISOString().slice(0, 10);
  return read<Day>(
    `SELECT partition, sum(bytes_on_disk) AS bytes FROM system.parts
     WHERE active AND database = currentDatabase() AND table = {table:String} AND partition < {end:String}
     GROUP BY partition ORDER BY partition DESC`,
    { params: { table: tables.stored, end } },
  );
}

/**
 * Returns whether a part of the day lacks the text index. A search for text that no row contains skips every part with
 * an index.
 */
async function lacksTextIndex({ read, tables }: ClickhouseConnection, day: string): Promise<boolean> {
  const from = Date.parse(day);
  const [found] = await read<{ parts: string }>(
    `SELECT sum(parts) AS parts FROM (EXPLAIN ESTIMATE SELECT id FROM ${tables.stored}
     WHERE id >= toUInt128('${floorOf(from)}') AND id < toUInt128('${floorOf(from + dayMs)}')
       AND ${searchedText} LIKE '%\\0\\0\\0\\0%')`,
  );
  return Number(found?.parts ?? 0) > 0;
}

async function isBuilding({ read, tables }: ClickhouseConnection): Promise<boolean> {
  const [found] = await read<{ count: string }>(
    `SELECT count() AS count FROM system.mutations
     WHERE database = currentDatabase() AND table = {table:String} AND NOT is_done AND command LIKE '%MATERIALIZE INDEX%'`,
    { params: { table: tables.stored } },
  );
  return Number(found?.count ?? 0) > 0;
}
