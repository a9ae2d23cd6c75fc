import { createHash, randomUUIDv7 } from 'node:crypto';
import { zstdDecompressSync } from 'node:zlib';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createSystemDatabase, type SystemDatabase } from '#db/system.ts';
import { createRunInTenant } from '#db/tenant.ts';
import type { TenantLog } from '#domain/request-log/tenant-log.ts';
import { type ObjectStore, openObjectStore } from '#object-store/object-store.ts';
import { createLogger } from '#platform/logger.ts';
import { postgresRequestLog } from '#request-log/postgres/postgres-request-log.ts';
import { createShipRequests } from '#shipper/ship-requests.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { crashAt } from '#test/object-store/crash-at.ts';
import { describeWithBucket, startBucket, type TestBucket } from '#test/object-store/start-bucket.ts';
import { createRecord } from '#test/requests/request-record.ts';
import { exportHours } from './export-hours.ts';
import type { Manifest } from './hours.ts';

const hourMs = 3_600_000;
const { signal } = new AbortController();
let bucket: TestBucket;
let store: ObjectStore;
let database: TestDatabase;
let system: SystemDatabase;
let tenantIds: number[];
let hourStartMs: number;

async function begin(): Promise<void> {
  database = await createTestDatabase();
  system = createSystemDatabase(database.pool);
  hourStartMs = (Math.floor(Date.now() / hourMs) - 2) * hourMs;
  const { rows } = await database.pool.query(
    "INSERT INTO tenants (name, slug) VALUES ('T', 't'), ('U', 'u'), ('V', 'v') RETURNING id",
  );
  tenantIds = rows.map(({ id }) => id);
  await runExport({ nowMs: hourStartMs + 60_000 });
}

const idAt = (ms: number) =>
  `${ms
    .toString(16)
    .padStart(12, '0')
    .replace(/^(.{8})/, '$1-')}${randomUUIDv7().slice(13)}`;

/** Ships requests some seconds after the start of the hour. Returns the request ids. */
async function ship(count: number, offsetMs = 0): Promise<string[]> {
  const records = Array.from({ length: count }, (_, index) => {
    const receivedAtMs = hourStartMs + offsetMs + index * 1_000;
    return createRecord({
      ...{ id: idAt(receivedAtMs), receivedAtMs, tenantId: tenantIds[index % 2] ?? null },
      ...{ status: 'success', httpStatus: 200, model: 'm', prompt: 'A secret question', costNanoUsd: '1500' },
    });
  });
  await createShipRequests({ pool: database.pool, nodeSlot: 0, log: createLogger('silent') })(records);
  return records.map(({ id }) => id);
}

interface RunOptions {
  readonly onPage?: (ids: readonly string[]) => Promise<void>;
  readonly through?: ObjectStore;
  readonly on?: SystemDatabase;
  readonly nowMs?: number;
}

const reportPages = (log: TenantLog, onPage: NonNullable<RunOptions['onPage']>): TenantLog =>
  new Proxy(log, {
    get(target, name) {
      const value = Reflect.get(target, name);
      if (name !== 'findPage') return typeof value === 'function' ? value.bind(target) : value;
      return async (...args: Parameters<TenantLog['findPage']>) => {
        const page = await target.findPage(...args);
        await onPage(page.ids);
        return page;
      };
    },
  });

const runExport = ({
  onPage = async () => undefined,
  through = store,
  on = system,
  nowMs = hourStartMs + 1.5 * hourMs,
}: RunOptions = {}) =>
  exportHours({
    database: on,
    store: through,
    nowMs,
    signal,
    readTenant: (tenantId, work) =>
      createRunInTenant(database.pool, postgresRequestLog.openTenant)(tenantId, (tx) =>
        work(reportPages(tx.requestLog, onPage)),
      ),
    findExisting: (ids) => postgresRequestLog.findExisting(system, ids),
    hasAllRows: (range) => postgresRequestLog.hasAllRows(system, range),
  });

const makeLateRowsDue = () =>
  database.pool.query("UPDATE late_log_rows SET noted_at = now() - interval '1 hour'");

async function readManifests(): Promise<Manifest[]> {
  const names = (await bucket.list()).filter((name) => name.startsWith('manifests/'));
  return Promise.all(names.map(async (name) => JSON.parse(String(await store.get(name)))));
}

/** Loads the files of the manifests like a data warehouse, and checks files and sums. */
async function load(): Promise<{ id: string; tenant_id: number }[]> {
  const rows = [];
  for (const manifest of await readManifests()) {
    let count = 0;
    for (const { file, bytes, sha256, tenant_id, ...sums } of manifest.files) {
      const stored = await store.get(file);
      expect(stored?.length).toBe(bytes);
      expect(
        createHash('sha256')
          .update(stored ?? '')
          .digest('hex'),
      ).toBe(sha256);
      const lines = String(zstdDecompressSync(stored ?? ''))
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line));
      expect(sums).toMatchObject({ rows: lines.length, cost_nano_usd: 1500 * lines.length });
      expect(lines.every((line) => line.tenant_id === tenant_id)).toBe(true);
      rows.push(...lines);
      count += lines.length;
    }
    expect(manifest).toMatchObject({ version: 1, rows: count, cost_nano_usd: 1500 * count });
  }
  return rows;
}

const loadIds = async () => (await load()).map(({ id }) => id).toSorted();

describeWithBucket('export of the request log', () => {
  beforeAll(async () => {
    bucket = await startBucket('lake');
    store = openObjectStore(bucket.config);
  });
  afterAll(() => bucket.close());
  beforeEach(async () => {
    await begin();
    return async () => {
      await bucket.clear();
      await database.close();
    };
  });

  it('an hour is exported after its end, by tenant, with a manifest and without texts', async () => {
    const ids = await ship(5);
    await runExport({ nowMs: hourStartMs + hourMs });
    expect(await bucket.list()).toEqual([]);
    expect(await runExport()).toEqual({ closed_hours: 1, exported_rows: 5, waiting_exports: 0 });
    expect(await loadIds()).toEqual(ids.toSorted());
    const day = new Date(hourStartMs).toISOString().slice(0, 10);
    const hour = new Date(hourStartMs).toISOString().slice(11, 13);
    expect(await bucket.list()).toEqual([
      `manifests/date=${day}/hour=${hour}/0.json`,
      ...tenantIds
        .slice(0, 2)
        .map((id) =>
          expect.stringMatching(`^tenant=${id}/date=${day}/hour=${hour}/0-0-[\\da-f]{16}.jsonl.zst$`),
        ),
    ]);
    expect(JSON.stringify(await load())).not.toContain('secret');
    expect(await runExport()).toEqual({ closed_hours: 0, exported_rows: 0, waiting_exports: 0 });
  });

  it('an hour without requests has a manifest without files', async () => {
    await runExport();
    expect(await readManifests()).toMatchObject([{ rows: 0, files: [] }]);
  });

  it('rows that are booked after an hour was closed are exported once, in a later export', async () => {
    const ids = await ship(4);
    await runExport();
    ids.push(...(await ship(3, 60_000)));
    expect(await runExport()).toMatchObject({ exported_rows: 0 });
    await makeLateRowsDue();
    expect(await runExport()).toMatchObject({ exported_rows: 3 });
    ids.push(...(await ship(2, 90_000)));
    await makeLateRowsDue();
    expect(await runExport()).toMatchObject({ exported_rows: 2 });
    expect(await loadIds()).toEqual(ids.toSorted());
    expect((await readManifests()).map(({ number, rows }) => [number, rows])).toEqual([
      [0, 4],
      [1, 3],
      [2, 2],
    ]);
    expect((await database.pool.query('SELECT FROM late_log_rows')).rowCount).toBe(0);
  });

  it('rows that are booked between the end of an hour and its files are exported once', async () => {
    const ids = await ship(4);
    const { wrap } = crashAt({ call: 1, when: 'before' });
    await expect(runExport({ through: wrap(store, ['put']) })).rejects.toThrow('crashed');
    ids.push(...(await ship(3, 60_000)));
    await makeLateRowsDue();
    await runExport();
    await runExport();
    expect(await loadIds()).toEqual(ids.toSorted());
  });

  it('an hour waits for the journals of all nodes, for at most six hours', async () => {
    const report = (ageSeconds: number) => JSON.stringify({ journal_backlog_age_seconds: ageSeconds });
    const seenAt = new Date(hourStartMs + 1.4 * hourMs).toISOString();
    await database.pool.query('INSERT INTO node_reports (name, report, seen_at) VALUES ($1, $2, $3)', [
      ...['node', report(1_500), seenAt],
    ]);
    expect(await runExport()).toMatchObject({ closed_hours: 0 });
    expect(await runExport({ nowMs: hourStartMs + 7.1 * hourMs })).toMatchObject({ closed_hours: 1 });
    await database.pool.query('TRUNCATE log_exports');
    await database.pool.query('UPDATE node_reports SET report = $1', [report(1_400)]);
    expect(await runExport()).toMatchObject({ closed_hours: 1 });
  });

  it('a row that is deleted while its page is read does not stop the export', async () => {
    const ids = await ship(2_004);
    const other = new pg.Client({ connectionString: database.connectionString });
    await other.connect();
    const deleted: string[] = [];
    const onPage = async ([newest]: readonly string[]) => {
      if (newest === undefined || deleted.length > 0) return;
      deleted.push(newest);
      await other.query('DELETE FROM request_logs WHERE id = $1', [newest]);
    };
    expect(await runExport({ onPage })).toMatchObject({ exported_rows: 2_003 });
    expect(await loadIds()).toEqual(ids.filter((id) => !deleted.includes(id)).toSorted());
    await other.end();
  });

  it('an hour waits for rows that the other database does not have yet', async () => {
    const ids = await ship(2);
    const missing = idAt(hourStartMs + 5_000);
    await database.pool.query(
      "INSERT INTO undelivered_scores (journal, scores, request_ids) VALUES ('j', '{}', $1)",
      [[...ids, missing]],
    );
    expect(await runExport()).toEqual({ closed_hours: 1, exported_rows: 0, waiting_exports: 1 });
    await database.pool.query('UPDATE undelivered_scores SET request_ids = $1', [ids]);
    expect(await runExport()).toEqual({ closed_hours: 0, exported_rows: 2, waiting_exports: 0 });
  });

  it('an hour waits while some of its rows may be in another database, even if they move there meanwhile', async () => {
    const ids = await ship(2);
    await database.pool.query('INSERT INTO clickhouse_log DEFAULT VALUES');
    expect(await runExport()).toEqual({ closed_hours: 1, exported_rows: 0, waiting_exports: 1 });
    await database.pool.query('DELETE FROM clickhouse_log');
    const put: ObjectStore['put'] = async (...args) => {
      await database.pool.query('INSERT INTO clickhouse_log DEFAULT VALUES ON CONFLICT DO NOTHING');
      return store.put(...args);
    };
    expect(await runExport({ through: { ...store, put } })).toMatchObject({ waiting_exports: 1 });
    expect(await bucket.list()).toEqual([]);
    await database.pool.query('DELETE FROM clickhouse_log');
    expect(await runExport()).toEqual({ closed_hours: 0, exported_rows: 2, waiting_exports: 0 });
    expect(await loadIds()).toEqual(ids.toSorted());
  });

  it('each row is exported once despite a crash at any step, late rows and a concurrent second node', async () => {
    let hits = 0;
    for (let call = 1; ; call++) {
      let isReached = false;
      for (const when of ['before', 'after'] as const) {
        await database.pool.query(
          'TRUNCATE log_exports, late_log_rows, request_logs, request_log_bodies, request_log_text_blocks, usage_rollups',
        );
        await bucket.clear();
        const ids = await ship(4);
        const crash = async () => {
          const point = crashAt({ call, when });
          await runExport({
            through: point.wrap(store, ['put', 'get', 'delete']),
            on: point.wrap(system, ['execute', 'transaction']),
          }).catch(() => undefined);
          isReached ||= point.isReached();
        };
        await crash();
        ids.push(...(await ship(2, 60_000)));
        await makeLateRowsDue();
        await crash();
        ids.push(...(await ship(1, 90_000)));
        await makeLateRowsDue();
        await Promise.allSettled([runExport(), runExport()]);
        await runExport();
        await runExport();
        expect(await loadIds()).toEqual(ids.toSorted());
      }
      if (!isReached) break;
      hits += 1;
    }
    expect(hits).toBeGreaterThan(8);
  });

  it('the first of two nodes that export concurrently decides the manifest, even if rows are deleted in between', async () => {
    await ship(4);
    let isFirst = true;
    const deleting: ObjectStore = {
      ...store,
      async put(...args) {
        if (isFirst) {
          isFirst = false;
          await database.pool.query(
            'DELETE FROM request_logs WHERE id = (SELECT min(id::text)::uuid FROM request_logs)',
          );
          await runExport();
        }
        return store.put(...args);
      },
    };
    await runExport({ through: deleting });
    expect(await load()).toHaveLength(3);
    const named = (await readManifests()).flatMap(({ files }) => files.map(({ file }) => file));
    expect((await bucket.list()).filter((name) => name.startsWith('tenant='))).toEqual(named.toSorted());
  });
});
