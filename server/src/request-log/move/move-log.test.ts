import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SQL } from 'drizzle-orm';
import type pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import type { MoveSide } from '#db/log-moves/move-side.ts';
import type { MoveState, MoveTarget } from '#db/log-moves/move-state.ts';
import { createSystemDatabase } from '#db/system.ts';
import { decompressText } from '#domain/compressed-text.ts';
import { addLogTenant, insertRandomRows, type LogTenant } from '#test/clickhouse/random-log.ts';
import { type Chdb, describeWithClickhouse, startChdb, testedStore } from '#test/clickhouse/start-chdb.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { isFullSize } from '#test/load/sample.ts';
import { callCommand } from '#test/processes/run-command.ts';
import { createRandom } from '#test/processes/seeded-random.ts';
import { openClickhouseRequestLog, prepareClickhouse } from '../clickhouse/clickhouse-request-log.ts';
import { type ClickhouseConnection, connect } from '../clickhouse/connection.ts';
import { postgresRequestLog } from '../postgres/postgres-request-log.ts';
import type { RequestLog } from '../request-log.ts';
import { endMove, listDays, type Move, moveLog, openMove } from './move-log.ts';

const rowCount = isFullSize ? 20_000 : 120;
vi.setConfig({ testTimeout: isFullSize ? 1_200_000 : 300_000 });
const days = 5;
const random = createRandom(isFullSize ? String(Date.now()) : '20261127');
let engine: Chdb;
let connection: ClickhouseConnection;
let log: RequestLog;
let database: TestDatabase;
let pool: pg.Pool;
let tenants: readonly LogTenant[];

const toClickhouse = (isClickhouseInUse: boolean) =>
  openMove(pool, connection, { to: 'clickhouse', isClickhouseInUse });
const toPostgres = (isClickhouseInUse: boolean) =>
  openMove(pool, connection, { to: 'postgres', isClickhouseInUse });

async function run(move: Move): Promise<number[]> {
  const differing = await moveLog(move, {
    nowMs: Date.now(),
    rowsPerSecond: 1_000_000,
    batchRows: isFullSize ? 1_000 : 16,
    onProgress: () => {},
  });
  if (move.isTargetInUse) await endMove(move);
  return differing;
}

interface Content {
  readonly logs: readonly { readonly id: string }[];
  readonly bodies: readonly { readonly id: string }[];
}

/** Converts bodies of 0.1.0 and empty labels like a move. */
async function readPostgres(): Promise<Content> {
  const { rows: logs } = await pool.query(
    "SELECT to_jsonb(l) || jsonb_build_object('labels', NULLIF(labels, '{}')) AS row FROM request_logs l ORDER BY id",
  );
  const { rows: bodies } = await pool.query(
    "SELECT to_jsonb(b) - 'request_body' AS row FROM request_log_bodies b ORDER BY id",
  );
  return { logs: logs.map(({ row }) => row), bodies: bodies.map(({ row }) => row) };
}

const readClickhouse = () => connection.read<{ id: string }>('SELECT * FROM request_logs ORDER BY id');

async function fill(): Promise<void> {
  tenants = [await addLogTenant(pool, 'Home', 'UTC'), await addLogTenant(pool, 'Other', 'UTC')];
  for (const tenant of tenants)
    await insertRandomRows(pool, tenant, random, { count: rowCount / 2, days, nowMs: Date.now() });
  await placeBodies();
  // The default partitions contain rows of days without their own partition.
  await pool.query(
    "SELECT make_text_blocks('00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff')",
  );
}

async function placeBodies(): Promise<void> {
  await pool.query(`UPDATE request_log_bodies b SET body_object = md5(l.user_id::text)::uuid, body_offset = l.user_id * 1000,
      body_length = 1 + b.response_bytes, is_cut = l.user_id % 2 = 0
    FROM request_logs l WHERE l.id = b.id AND l.user_id IS NOT NULL`);
  await pool.query(`INSERT INTO body_objects (id, file, tenants, bytes, index_offset, last_at, is_used)
    SELECT DISTINCT body_object, body_object, ARRAY[0], 1, 1, now(), true FROM request_log_bodies WHERE body_object IS NOT NULL`);
}

interface Placed {
  readonly object: string;
  readonly ids: string[];
}

async function listPlaced(): Promise<readonly Placed[]> {
  const { rows } = await pool.query<Placed>(
    'SELECT body_object AS object, array_agg(id ORDER BY id) AS ids FROM request_log_bodies WHERE body_object IS NOT NULL GROUP BY body_object',
  );
  expect(rows.length).toBeGreaterThan(10);
  return rows;
}

const findPlaced = (log: RequestLog, placed: readonly Placed[]) =>
  Promise.all(
    placed.map(async ({ object, ids }) => ({
      object,
      ids: (await log.findPlaced(system(), object, ids))?.toSorted() ?? null,
    })),
  );

const allUnknown = (placed: readonly Placed[]) => placed.map(({ object }) => ({ object, ids: null }));

const readNoted = async () => {
  const { rows } = await pool.query<{ id: string }>(
    'SELECT id FROM body_objects WHERE check_until IS NOT NULL',
  );
  return rows.map(({ id }) => id);
};

function killAt(
  move: Move,
  count: number,
  when: 'before' | 'after',
): { move: Move; isKilled: () => boolean } {
  let calls = 0;
  const wrap = <Part extends MoveSide | MoveState>(part: Part): Part =>
    // safe because each method of the parts returns a promise, and the wrapper has their signatures
    Object.fromEntries(
      Object.entries(part).map(([name, method]) => [
        name,
        async (...args: unknown[]) => {
          const isHit = ++calls === count;
          if (isHit && when === 'before') throw new Error('killed');
          const result = await method(...args);
          if (isHit) throw new Error('killed');
          return result;
        },
      ]),
    ) as unknown as Part;
  const { source, target, state } = move;
  return {
    move: { ...move, source: wrap(source), target: wrap(target), state: wrap(state) },
    isKilled: () => calls >= count,
  };
}

const system = () => createSystemDatabase(pool);
const { signal } = new AbortController();

describeWithClickhouse('sluice logs move', () => {
  beforeAll(async () => {
    engine = await startChdb(testedStore);
    await prepareClickhouse(engine.url);
    connection = connect(engine.url);
    log = openClickhouseRequestLog(engine.url);
  });
  afterAll(async () => {
    await log.close();
    await connection.close();
    await engine.close();
  });
  beforeEach(async () => {
    database = await createTestDatabase();
    pool = database.pool;
    await connection.run(`TRUNCATE TABLE ${connection.tables.stored}`);
    await fill();
  });
  afterEach(() => database.close());

  it('rows are the same after a move to ClickHouse and back', async () => {
    const before = await readPostgres();
    expect(before.logs).toHaveLength(rowCount);
    expect(await run(toClickhouse(true))).toEqual([]);
    expect(await readPostgres()).toEqual({ logs: [], bodies: [] });
    const moved = await readClickhouse();
    expect(moved).toHaveLength(rowCount);
    expect(await run(toPostgres(false))).toEqual([]);
    expect(await readClickhouse()).toEqual([]);
    expect(await readPostgres()).toEqual(before);
    expect(await run(toClickhouse(true))).toEqual([]);
    expect(await readClickhouse()).toEqual(moved);
    expect((await pool.query('SELECT FROM log_move_days')).rowCount).toBe(0);
  });

  it('bodies are checked for removal only if all rows are visible', async () => {
    const placed = await listPlaced();
    expect(await findPlaced(postgresRequestLog, placed)).toEqual(placed);
    await run(toClickhouse(false));
    expect(await findPlaced(postgresRequestLog, placed)).toEqual(placed);
    expect(await findPlaced(log, placed)).toEqual(placed);
    await run(toClickhouse(true));
    expect(await findPlaced(postgresRequestLog, placed)).toEqual(allUnknown(placed));
    expect(await findPlaced(log, placed)).toEqual(placed);
    const [{ object, ids } = { object: '', ids: [] }, other] = placed;
    expect(await log.findPlaced(system(), other?.object ?? '', ids)).toEqual([]);
    await pool.query("INSERT INTO undelivered_scores (journal, scores) VALUES ('j', '{}')");
    await run(toPostgres(false));
    expect(await findPlaced(postgresRequestLog, placed)).toEqual(allUnknown(placed));
    await pool.query('DELETE FROM undelivered_scores');
    await run(toPostgres(false));
    expect(await findPlaced(postgresRequestLog, placed)).toEqual(placed);
    expect(await postgresRequestLog.findPlaced(system(), object, [])).toEqual([]);
  });

  it('a row that moves back to PostgreSQL between the lookups of both databases is found', async () => {
    const [{ object, ids } = { object: '', ids: [] }] = await listPlaced();
    await run(toClickhouse(true));
    let isMoved = false;
    const moving = new Proxy(system(), {
      get(target, name) {
        if (name !== 'execute') return Reflect.get(target, name);
        return async (query: SQL) => {
          const rows = await target.execute(query);
          if (!isMoved) await run(toPostgres(false));
          isMoved = true;
          return rows;
        };
      },
    });
    expect((await log.findPlaced(moving, object, ids))?.toSorted()).toEqual(ids);
    expect(isMoved).toBe(true);
  });

  it('hours are only exported from a database that has all of their rows', async () => {
    const all = {
      first: '00000000-0000-0000-0000-000000000000',
      end: 'ffffffff-ffff-ffff-ffff-ffffffffffff',
    };
    expect(await postgresRequestLog.hasAllRows(system(), all)).toBe(true);
    expect(await log.hasAllRows(system(), all)).toBe(false);
    await run(toClickhouse(true));
    expect(await postgresRequestLog.hasAllRows(system(), all)).toBe(false);
    expect(await log.hasAllRows(system(), all)).toBe(true);
    await run(toPostgres(true));
    expect((await readPostgres()).logs).not.toEqual([]);
    expect(await log.hasAllRows(system(), all)).toBe(true);
  });

  it('a move copies past days while the source is in use, and a repeated move applies later changes', async () => {
    await run(toClickhouse(false));
    const today = Math.floor(Date.now() / 86_400_000);
    const ended = async () =>
      (await readPostgres()).logs.filter(
        ({ id }) => Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16) < today * 86_400_000,
      );
    expect(await readClickhouse()).toHaveLength((await ended()).length);
    const [home] = tenants;
    // Simulate retention, which deletes rows, and a node that was unavailable, which adds rows.
    await pool.query(
      'DELETE FROM request_log_bodies WHERE id IN (SELECT id FROM request_log_bodies ORDER BY id LIMIT 20)',
    );
    // Days without rows in the source are not compared, so each day keeps its first row.
    const { rowCount: deleted } = await pool.query(
      `DELETE FROM request_logs WHERE id IN (
         SELECT id FROM (
           SELECT id, row_number() OVER (PARTITION BY date_trunc('day', received_at, 'UTC') ORDER BY id) AS place
           FROM request_logs WHERE tenant_id = $1) AS rows WHERE place > 1 ORDER BY id LIMIT 9)`,
      [home?.id],
    );
    expect(deleted).toBe(9);
    await insertRandomRows(pool, home as LogTenant, random, { count: 12, days, nowMs: Date.now() });
    expect(await run(toClickhouse(false))).toEqual([]);
    expect(await readClickhouse()).toHaveLength((await ended()).length);
    const before = await readPostgres();
    await run(toClickhouse(true));
    await run(toPostgres(false));
    expect(await readPostgres()).toEqual(before);
  });

  it.each(['before', 'after'] as const)(
    'a move that is killed %s any step has each row once when it is repeated',
    async (when) => {
      const before = await readPostgres();
      const placed = await listPlaced();
      let kills = 0;
      for (const open of [toClickhouse, toPostgres] as const) {
        const isInUse = open === toClickhouse;
        for (let count = 1; ; count += isFullSize ? 1 : 3) {
          const { move, isKilled } = killAt(open(isInUse), count, when);
          const result = await run(move).catch((error) => error.message);
          if (!isKilled()) break;
          expect(result).toBe('killed');
          kills++;
          const [inClickhouse, inPostgres] = [await readClickhouse(), (await readPostgres()).logs];
          expect(new Set(inClickhouse.map(({ id }) => id)).size).toBe(inClickhouse.length);
          expect(inClickhouse.length + inPostgres.length).toBeGreaterThanOrEqual(rowCount);
          expect(await findPlaced(log, placed)).toEqual(placed);
          const alone = await findPlaced(postgresRequestLog, placed);
          expect(alone).toEqual(alone[0]?.ids === null ? allUnknown(placed) : placed);
        }
        await run(open(isInUse));
        expect(await listDays(open(isInUse), Date.now())).toEqual([]);
      }
      expect(kills).toBeGreaterThan(10);
      expect(await readPostgres()).toEqual(before);
    },
  );

  it('a move keeps rows that were already written to the target', async () => {
    await run(toClickhouse(true));
    const written = await readClickhouse();
    await connection.run(`TRUNCATE TABLE ${connection.tables.stored}`);
    await insertRandomRows(pool, tenants[0] as LogTenant, random, { count: 40, days: 1, nowMs: Date.now() });
    await connection.insert('request_logs', written, { token: 'live' });
    expect(await run(toClickhouse(true))).toEqual([]);
    expect(await readClickhouse()).toHaveLength(written.length + 40);
    expect((await readPostgres()).logs).toEqual([]);
  });

  it('a row that differs is reported, and its day remains in both databases', async () => {
    await run(toClickhouse(false));
    const { stored, onCluster } = connection.tables;
    const [{ id } = { id: '' }] = await readClickhouse();
    await connection.run(
      `ALTER TABLE ${stored}${onCluster} UPDATE prompt_tokens = prompt_tokens + 1 WHERE id = toUInt128('${id}') SETTINGS mutations_sync = 2`,
    );
    const before = await readPostgres();
    const differing = await run(toClickhouse(true));
    expect(differing).toHaveLength(1);
    const left = await listDays(toClickhouse(true), Date.now());
    expect(left.map(({ day }) => day)).toEqual(differing);
    const { logs } = await readPostgres();
    expect(before.logs).toEqual(expect.arrayContaining([...logs]));
    // Rows of the source take precedence while the source is in use.
    expect(await run(toClickhouse(false))).toEqual([]);
    expect(await run(toClickhouse(true))).toEqual([]);
  });

  it.each(['clickhouse', 'postgres'] as const)(
    'rows of a user deleted during a move to %s do not reappear',
    async (to: MoveTarget) => {
      if (to === 'postgres') await run(toClickhouse(true));
      const [home] = tenants;
      const user = { tenantId: home?.id ?? 0, userId: home?.users[0] ?? 0 };
      const move = to === 'clickhouse' ? toClickhouse(true) : toPostgres(false);
      let isDeleted = false;
      const { target } = move;
      const insertMissing: MoveSide['insertMissing'] = async (rows) => {
        // Read the batch before the user is deleted, and insert it afterwards.
        if (!isDeleted && rows.some(({ body_object, user_id }) => body_object && user_id === user.userId)) {
          expect(await log.deleteOfUser(system(), user, signal)).toBeGreaterThan(0);
          isDeleted = true;
        }
        return target.insertMissing(rows);
      };
      expect(await run({ ...move, target: { ...target, insertMissing } })).toEqual([]);
      expect(isDeleted).toBe(true);
      const rows = to === 'clickhouse' ? await readClickhouse() : (await readPostgres()).logs;
      expect(rows.length).toBeGreaterThan(rowCount / 2);
      expect(rows.filter((row) => (row as { user_id?: number }).user_id === user.userId)).toEqual([]);
      // This check was scheduled by the move, because the user was deleted in a log without object storage.
      const { rows: objects } = await pool.query('SELECT md5($1)::uuid AS id', [String(user.userId)]);
      expect(await readNoted()).toEqual([objects[0].id]);
    },
  );

  it('bodies written by 0.1.0 have the same texts after a move', async () => {
    const { rows } = await pool.query<{ id: string; tenant: number; prompt: string }>(
      `UPDATE request_log_bodies SET request_body = '{"text": ' || to_json(prompt || E'\\n"') || '}', request_body_zstd = NULL
       WHERE id IN (SELECT id FROM request_log_bodies WHERE prompt IS NOT NULL LIMIT 1) RETURNING id, tenant_id AS tenant, request_body AS body`,
    );
    await run(toClickhouse(true));
    await run(toPostgres(false));
    const { rows: after } = await pool.query(
      'SELECT prompt, request_body_zstd AS body, request_body AS text FROM request_log_bodies WHERE id = $1',
      [rows[0]?.id],
    );
    expect(after[0].text).toBeNull();
    expect(decompressText(after[0].body, after[0].prompt)).toBe(
      (rows[0] as { body?: string } | undefined)?.body,
    );
  });

  it('sluice logs move reports progress and the remaining days, with either database in use', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'sluice-move-'));
    const file = join(folder, 'log-store');
    await writeFile(file, `${engine.url}\n`);
    const call = async (to: MoveTarget, isInUse: boolean, ...options: string[]) => {
      const store: Record<string, string> = isInUse ? { SLUICE_LOG_STORE: engine.url } : {};
      const words = ['logs', 'move', '--to', to, '--store-file', file, '--json', ...options];
      const env = { DATABASE_URL: database.connectionString, SLUICE_DATA_DIR: folder, ...store };
      const { code, stdout, stderr } = await callCommand(words, env, '');
      return { code, stderr, json: code === 0 ? JSON.parse(stdout) : null };
    };
    const sum = (days: { rows: number }[]) => days.reduce((total, { rows }) => total + rows, 0);
    const left = await call('clickhouse', true, '--status');
    expect(sum(left.json)).toBe(rowCount);
    expect(await call('clickhouse', false)).toMatchObject({ json: { differing: [], rows_left: 0 } });
    expect((await readPostgres()).logs).toHaveLength(rowCount);
    const moved = await call('clickhouse', true);
    expect(moved).toMatchObject({ code: 0, json: { days: left.json.length, differing: [], rows_left: 0 } });
    expect(moved.stderr).toContain('rows compared and moved');
    expect((await call('postgres', false)).json).toMatchObject({
      rows: rowCount,
      rows_left: 0,
      is_over: true,
    });
    expect((await readPostgres()).logs).toHaveLength(rowCount);
    await rm(folder, { recursive: true });
  });
});
