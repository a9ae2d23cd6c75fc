import { afterEach, beforeEach, expect, it } from 'vitest';
import { dayOf, dayPartition } from '#db/log-partitions/day-partition.ts';
import { keepLogPartitions } from '#db/log-partitions/keep-log-partitions.ts';
import { createSystemDatabase } from '#db/system.ts';
import { createLogger } from '#platform/logger.ts';
import { createShipRequests } from '#shipper/ship-requests.ts';
import { addTenant } from '#test/console/console.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { createRecord } from '#test/requests/request-record.ts';
import { createIndexLogTexts } from './index-log-texts.ts';
import { runAlone } from './run-alone.ts';

const dayMs = 86_400_000;
const log = createLogger('silent');
let database: TestDatabase;
let tenantId: number;
beforeEach(async () => {
  database = await createTestDatabase();
  tenantId = await addTenant(database.pool, 'Acme');
});
afterEach(() => database.close());

const keepDays = (nowMs: number) =>
  keepLogPartitions(createSystemDatabase(database.pool), {
    clock: () => nowMs,
    log,
    signal: new AbortController().signal,
  });
const indexDays = (nowMs: number) =>
  runAlone(
    createSystemDatabase(database.pool),
    createIndexLogTexts(() => nowMs, database.connectionString),
    log,
  );
const ship = (prompts: readonly string[], ms: number) =>
  createShipRequests({ pool: database.pool, nodeSlot: 0, log })(
    prompts.map((prompt, place) => {
      const time = (ms + place).toString(16).padStart(12, '0');
      const id = `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-${String(place).padStart(12, '0')}`;
      return createRecord({ id, tenantId, prompt, status: 'success', receivedAtMs: ms + place });
    }),
  );
const search = async (words: string, most = 1_000): Promise<string[]> => {
  const client = await database.pool.connect();
  try {
    await client.query('BEGIN');
    await client.query("SELECT set_config('app.tenant', $1, true)", [String(tenantId)]);
    const { rows } = await client.query<{ prompt: string }>(
      'SELECT prompt FROM find_request_logs($1, $2) id JOIN request_log_bodies USING (id) ORDER BY id DESC',
      [{ search_like: `%${words}%` }, most],
    );
    return rows.map(({ prompt }) => prompt);
  } finally {
    await client.query('ROLLBACK');
    client.release();
  }
};
const listIndexes = async () =>
  (
    await database.pool.query<{ name: string }>(
      "SELECT relname AS name FROM pg_class WHERE relkind = 'i' AND relname LIKE 'request_log_bodies%_text' ORDER BY 1",
    )
  ).rows.map(({ name }) => name);
const prompts = (day: string) =>
  Array.from({ length: 300 }, (_, place) => `${day} asks for parcel ${place % 100}`);

it('texts are found in the current day, in past days, and in past days with later writes', async () => {
  const nowMs = Date.now();
  await keepDays(nowMs);
  await ship(prompts('yesterday'), nowMs - dayMs);
  await ship(prompts('today'), nowMs - 1_000);
  const expected = ['today', 'yesterday'].flatMap((day) => Array(3).fill(`${day} asks for parcel 42`));
  expect(await search('PARCEL 42')).toEqual(expected);
  expect(await search('parcel 42', 4)).toEqual(expected.slice(0, 4));
  await indexDays(nowMs);
  expect(await listIndexes()).toHaveLength(1);
  expect(await search('parcel 42')).toEqual(expected);
  await ship(['a late word for parcel 42'], nowMs - dayMs - 5_000);
  expect(await search('parcel 42')).toEqual([...expected, 'a late word for parcel 42']);
  expect(await search('parcel 4', 2_000)).toHaveLength(67);
});

it('indexLogTexts drops the blocks of a day an hour after its index was built, without losing matches', async () => {
  const nowMs = Date.now();
  await keepDays(nowMs);
  await ship(prompts('yesterday'), nowMs - dayMs);
  await ship(prompts('today'), nowMs - 1_000);
  const listBlocks = async () =>
    (
      await database.pool.query<{ day: number }>(
        "SELECT DISTINCT (uuid_instant(id) AT TIME ZONE 'UTC')::date - date '1970-01-01' AS day FROM request_log_text_blocks ORDER BY 1",
      )
    ).rows.map(({ day }) => day);
  const days = [dayOf(nowMs) - 1, dayOf(nowMs)];
  await indexDays(nowMs);
  expect(await listBlocks()).toEqual(days);
  const found = await search('parcel 42');
  await indexDays(nowMs);
  expect(await listBlocks()).toEqual(days.slice(1));
  expect(await search('parcel 42')).toEqual(found);
  await ship(['a late word for parcel 42'], nowMs - dayMs - 5_000);
  expect(await search('parcel 42')).toEqual([...found, 'a late word for parcel 42']);
  await keepDays(nowMs);
  await indexDays(nowMs);
  expect(await search('parcel 42')).toEqual([...found, 'a late word for parcel 42']);
});

it('indexLogTexts indexes ranges of the current day, and replaces them with the other indexes when it is over', async () => {
  const nowMs = Date.now();
  const listOf = async (table: string) =>
    (
      await database.pool.query<{ name: string }>(
        `SELECT substr(relname, length($1) + 2) AS name FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
         WHERE indrelid = to_regclass($1) AND indisvalid AND relname ~ '_(model|provider|intent|cost|tokens|response_time|ranges)$' ORDER BY 1`,
        [table],
      )
    ).rows.map(({ name }) => name);
  const countRanges = async () =>
    (
      await database.pool.query<{ count: number }>('SELECT brin_summarize_new_values($1) AS count', [
        `${table}_ranges`,
      ])
    ).rows[0]?.count;
  await keepDays(nowMs);
  const { table } = dayPartition('request_logs', dayOf(nowMs));
  await ship(prompts('today'), nowMs - 1_000);
  await indexDays(nowMs);
  expect(await listOf(table)).toEqual(['ranges']);
  for (let batch = 0; batch < 6; batch++) await ship(prompts('later'), nowMs - 5_000 - 1_000 * batch);
  await indexDays(nowMs);
  expect(await countRanges()).toBe(0);
  await indexDays(nowMs + dayMs);
  expect(await listOf(table)).toEqual(['cost', 'intent', 'model', 'provider', 'response_time', 'tokens']);
});

it('indexLogTexts builds the index of each past day once, and again if a build was interrupted', async () => {
  const nowMs = Date.now();
  const readValid = async () =>
    (
      await database.pool.query<{ valid: boolean }>(
        "SELECT indisvalid AS valid FROM pg_index WHERE indexrelid::regclass::text LIKE 'request_log_bodies%_text'",
      )
    ).rows.map(({ valid }) => valid);
  await keepDays(nowMs);
  const { table } = dayPartition('request_log_bodies', dayOf(nowMs) - 1);
  const [reader, builder] = [await database.pool.connect(), await database.pool.connect()];
  await reader.query('BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT FROM request_log_bodies');
  await builder.query('SET statement_timeout = 200');
  await expect(
    builder.query(
      `CREATE INDEX CONCURRENTLY ${table}_text ON ${table} USING gin (prompt gin_trgm_ops, response gin_trgm_ops)`,
    ),
  ).rejects.toThrow('timeout');
  await reader.query('ROLLBACK');
  for (const client of [reader, builder]) client.release(true);
  expect(await readValid()).toEqual([false]);
  await indexDays(nowMs);
  expect(await readValid()).toEqual([true]);
  await indexDays(nowMs + dayMs);
  expect(await readValid()).toEqual([true, true]);
});
