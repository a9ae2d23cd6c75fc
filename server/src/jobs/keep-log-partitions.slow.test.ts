import { sql } from 'drizzle-orm';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { keepLogPartitions } from '#db/log-partitions/keep-log-partitions.ts';
import { migrate } from '#db/migrate.ts';
import { createSystemDatabase, type SystemDatabase } from '#db/system.ts';
import { createRunInTenant } from '#db/tenant.ts';
import { createLogger, type Logger } from '#platform/logger.ts';
import { postgresRequestLog } from '#request-log/postgres/postgres-request-log.ts';
import { addTenant } from '#test/console/console.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { createKeepLogPartitions } from './delete-expired-request-logs.ts';
import { runAlone } from './run-alone.ts';

const dayMs = 86_400_000;
const parents = ['request_logs', 'request_log_bodies', 'request_log_text_blocks'];
let told: { level: number; msg: string }[];
let log: Logger;
const forever = new AbortController().signal;
const inDays = (days: number) => Date.now() + days * dayMs;

let database: TestDatabase;
let system: SystemDatabase;
let tenantId: number;
beforeEach(async () => {
  told = [];
  // Each test has its own logger, since a logger folds repeated warnings.
  log = createLogger('warn', { write: (line: string) => void told.push(JSON.parse(line)) });
  database = await createTestDatabase();
  system = createSystemDatabase(database.pool);
  tenantId = await addTenant(database.pool, 'Acme');
});
afterEach(() => database.close());

let serial = 0;
const idAt = (ms: number) => {
  serial += 1;
  const time = Math.floor(ms).toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-${serial.toString(16).padStart(12, '0')}`;
};
const insertLogs = `INSERT INTO request_logs (id, tenant_id, protocol, operation, status, http_status, is_stream, attempts, received_at, response_time_ms, usage_source)
  SELECT id, $2, 'p', 'o', 'success', 200, false, 1, now(), 1, 'none' FROM unnest($1::uuid[]) id ON CONFLICT (id) DO NOTHING`;
const insertBodies = `INSERT INTO request_log_bodies (id, tenant_id, prompt, request_bytes, response_bytes)
  SELECT id, $2, 'Hi', 1, 1 FROM unnest($1::uuid[]) id ON CONFLICT (id) DO NOTHING`;
const insertBlocks = `INSERT INTO request_log_text_blocks (id, tenant_id, last_id, row_ids, ngrams)
  SELECT id, $2, id, ARRAY[id], '{}' FROM unnest($1::uuid[]) id ON CONFLICT (id) DO NOTHING`;
const write = async (ids: readonly string[]) => {
  for (const statement of [insertLogs, insertBodies, insertBlocks])
    await database.pool.query(statement, [ids, tenantId]);
};
const read = async (statement: string) => (await database.pool.query(statement)).rows;
const listIds = async (table: string) =>
  (await read(`SELECT id FROM ${table} ORDER BY id`)).map(({ id }) => id);
const countStrays = async () =>
  (
    await read(parents.map((parent) => `SELECT count(*)::int FROM ${parent}_default`).join(' UNION ALL '))
  ).map(({ count }) => count);
const listTables = async (parent: string) =>
  (
    await read(
      `SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = '${parent}'::regclass ORDER BY 1`,
    )
  ).map(({ name }) => name);
const runJob = (nowMs = Date.now()) =>
  runAlone(
    system,
    createKeepLogPartitions(() => nowMs),
    log,
  );
const keep = (batchRows: number, clock = Date.now) =>
  keepLogPartitions(system, { clock, log, signal: forever, batchRows });

it('the tests of keepLogPartitions cover every partitioned table', async () => {
  expect(
    (await read('SELECT partrelid::regclass::text AS name FROM pg_partitioned_table'))
      .map(({ name }) => name)
      .toSorted(),
  ).toEqual(parents.toSorted());
});

describe('after 40 days without a restart', () => {
  const days = [...Array(41).keys()];

  it('keepLogPartitions run daily leaves no row without a partition of its day', async () => {
    const ids: string[] = [];
    for (const day of days) {
      await runJob(inDays(day));
      const id = idAt(inDays(day));
      ids.push(id);
      await write([id]);
    }
    expect(await countStrays()).toEqual([0, 0, 0]);
    expect(await listIds('request_logs')).toEqual(ids);
    for (const parent of parents) expect(await listTables(parent)).toHaveLength(2 + 40 + 14 + 1);
  });

  it.each([
    ['a restart', () => migrate(database.connectionString, log, { clock: () => inDays(40) })],
    ['the job', () => runJob(inDays(40))],
  ])('%s moves rows of the default partition to partitions of their days', async (_, repair) => {
    const ids = days.flatMap((day) => [idAt(inDays(day)), idAt(inDays(day) + 1)]);
    await write(ids);
    expect(await countStrays()).toEqual([52, 52, 52]);
    await repair();
    expect(told).toEqual([]);
    expect(await countStrays()).toEqual([0, 0, 0]);
    for (const parent of parents) {
      expect(await listIds(parent)).toEqual(ids);
      const tables = await listTables(parent);
      expect(tables).toHaveLength(2 + 40 + 14 + 1);
      const { rows } = await database.pool.query(
        `SELECT tableoid::regclass::text AS "table", count(*)::int FROM ${parent} GROUP BY 1`,
      );
      expect(rows.map(({ count }) => count)).toEqual(days.map(() => 2));
    }
  });
});

it('keepLogPartitions moves rows of any day, past or future, and accepts a repeated row once', async () => {
  const ids = [0, 1, Date.UTC(1999, 11, 31), inDays(-400), inDays(3), inDays(9_000), 2 ** 48 - 1].map(idAt);
  await write(ids);
  await runJob();
  expect(await countStrays()).toEqual([0, 0, 0]);
  await write(ids);
  expect(await listIds('request_logs')).toEqual(ids);
  expect(await listIds('request_log_bodies')).toEqual(ids);
});

it('keepLogPartitions creates partitions with the columns, indexes and access rights of the table', async () => {
  const early = inDays(2);
  const late = inDays(30);
  const otherTenant = await addTenant(database.pool, 'Other');
  const foreign = idAt(late);
  await write([idAt(early), idAt(late)]);
  await database.pool.query(insertLogs, [[foreign], otherTenant]);
  await runJob();
  const describe = async (ms: number) => {
    const day = new Date(ms).toISOString().slice(0, 10).replaceAll('-', '');
    const table = `request_logs_${day}`;
    return JSON.parse(
      JSON.stringify([
        await read(
          `SELECT column_name, data_type, is_nullable, column_default FROM information_schema.columns WHERE table_name = '${table}' ORDER BY ordinal_position`,
        ),
        await read(
          `SELECT pg_get_constraintdef(oid) AS text FROM pg_constraint WHERE conrelid = '${table}'::regclass ORDER BY 1`,
        ),
        await read(
          `SELECT inhparent::regclass::text, pg_get_indexdef(indexrelid) AS text FROM pg_index JOIN pg_inherits ON inhrelid = indexrelid WHERE indrelid = '${table}'::regclass ORDER BY 1`,
        ),
        await read(`SELECT relacl, relrowsecurity FROM pg_class WHERE oid = '${table}'::regclass`),
      ]).replaceAll(day, 'DAY'),
    );
  };
  expect(await describe(late)).toEqual(await describe(early));
  const inTenant = createRunInTenant(database.pool, postgresRequestLog.openTenant);
  const seen = await inTenant(tenantId, (tx) => tx.execute(sql`SELECT id FROM request_logs`));
  expect(seen.rows).toHaveLength(2);
  expect(seen.rows).not.toContainEqual({ id: foreign });
  for (const { name } of await read(
    `SELECT relname AS name FROM pg_class WHERE relname ~ '^request_log.*_(default|[0-9]+)$'`,
  )) {
    await expect(
      inTenant(tenantId, (tx) => tx.execute(sql.raw(`SELECT FROM ${name}`))),
    ).rejects.toMatchObject({
      cause: { message: expect.stringContaining('permission denied') },
    });
  }
  expect(
    await read("SELECT tgname FROM pg_trigger WHERE tgrelid::regclass::text LIKE 'request_log%'"),
  ).toEqual([]);
});

describe('keepLogPartitions during a move', () => {
  it('keepLogPartitions keeps every row once, including those written, changed and deleted during a move', async () => {
    const old = Array.from({ length: 2_000 }, (_, n) => idAt(inDays(20) + n));
    await write(old);
    const [deleted, changed] = old;
    let isMoving = true;
    const added: string[] = [];
    const counts = new Set<boolean>();
    const work = async () => {
      while (isMoving) {
        const id = idAt(inDays(21));
        added.push(id);
        await write([id]);
        await database.pool.query('UPDATE request_logs SET repeats = repeats + 1 WHERE id = $1', [changed]);
        const [{ count }] = await read('SELECT count(*)::int FROM request_logs');
        counts.add(count >= old.length - 1 && count <= old.length + added.length);
      }
    };
    const working = work();
    await expect.poll(() => added.length).toBeGreaterThan(3);
    const moving = keep(50);
    await expect.poll(() => read('SELECT * FROM stray_moves')).not.toEqual([]);
    await database.pool.query('DELETE FROM request_logs WHERE id = $1', [deleted]);
    await moving;
    isMoving = false;
    await working;
    expect(counts).toEqual(new Set([true]));
    expect(await listIds('request_logs')).toEqual([...old.slice(1), ...added].toSorted());
    const [row] = await read(
      `SELECT repeats, tableoid::regclass::text AS "table" FROM request_logs WHERE id = '${changed}'`,
    );
    expect(row.repeats).toBe(added.length + 1);
    expect(row.table).not.toBe('request_logs_default');
    expect(await read('SELECT * FROM stray_changes')).toEqual([]);
  });

  it('keepLogPartitions continues a stopped move in the next run', async () => {
    await write(Array.from({ length: 500 }, (_, n) => idAt(inDays(20) + n)));
    const stopping = new AbortController();
    const clock = () => {
      steps += 1;
      if (steps > 4) stopping.abort();
      return Date.now();
    };
    let steps = 0;
    await keepLogPartitions(system, { clock, log, signal: stopping.signal, batchRows: 50 });
    const [{ copied_to: reached }] = await read('SELECT copied_to FROM stray_moves');
    expect(reached).not.toBeNull();
    expect(await read('SELECT id FROM request_logs')).toHaveLength(500);
    await Promise.all([keep(50), keep(50), keep(50)]);
    expect(await countStrays()).toEqual([0, 0, 0]);
    expect(await read('SELECT id FROM request_logs')).toHaveLength(500);
  });

  it('keepLogPartitions restarts a move if the table has changed since', async () => {
    await write([idAt(inDays(20)), idAt(inDays(21))]);
    const stopping = new AbortController();
    const stopAfter = (steps: number) => () => {
      if (--steps === 0) stopping.abort();
      return Date.now();
    };
    await keepLogPartitions(system, { clock: stopAfter(2), log, signal: stopping.signal });
    await database.pool.query("ALTER TABLE request_logs ADD COLUMN later text DEFAULT 'new'");
    await expect(keep(50)).rejects.toThrow();
    await keep(50);
    expect(await read('SELECT DISTINCT later FROM request_logs')).toEqual([{ later: 'new' }]);
    expect(await countStrays()).toEqual([0, 0, 0]);
  });
});

describe('start', () => {
  it('migrate and writes complete while a reader holds a lock on the table', async () => {
    await write([idAt(inDays(20))]);
    const reader = new pg.Client({ connectionString: database.connectionString });
    await reader.connect();
    try {
      await reader.query('BEGIN; SELECT FROM request_logs');
      const starting = migrate(database.connectionString, log);
      const ids = [0, 1, 2, 3, 4, 5].map((n) => idAt(inDays(20) + 1_000 + n));
      for (const id of ids) {
        const beganAtMs = performance.now();
        await write([id]);
        expect(performance.now() - beganAtMs).toBeLessThan(3_000);
      }
      await starting;
      expect(told.map(({ msg }) => msg)).toContain(
        'the partitions of the request log could not be updated yet',
      );
      await reader.query('COMMIT');
      await runJob();
      expect(await countStrays()).toEqual([0, 0, 0]);
      expect(await read('SELECT id FROM request_logs')).toHaveLength(7);
    } finally {
      await reader.end();
    }
  }, 30_000);
});
