import { randomUUIDv7 } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { removeBodies } from '#body-store/remove-bodies.ts';
import { createPutBodies } from '#body-store/write-bodies.ts';
import { createPool } from '#db/pool.ts';
import { createSystemDatabase } from '#db/system.ts';
import { createRunInTenant } from '#db/tenant.ts';
import { type ObjectStore, openObjectStore } from '#object-store/object-store.ts';
import { createKeyring } from '#platform/keyring.ts';
import { createLogger } from '#platform/logger.ts';
import {
  openClickhouseRequestLog,
  prepareClickhouse,
} from '#request-log/clickhouse/clickhouse-request-log.ts';
import { type ClickhouseConnection, connect } from '#request-log/clickhouse/connection.ts';
import type { RequestLog } from '#request-log/request-log.ts';
import { withBodies } from '#request-log/with-bodies.ts';
import { type Chdb, describeWithClickhouse, startChdb, testedStore } from '#test/clickhouse/start-chdb.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { startTransactionCutter, type TransactionStep } from '#test/database/transaction-cutter.ts';
import { isFullSize } from '#test/load/sample.ts';
import { crashAt } from '#test/object-store/crash-at.ts';
import { describeWithBucket, startBucket, type TestBucket } from '#test/object-store/start-bucket.ts';
import { createRandom, pickOne } from '#test/processes/seeded-random.ts';
import { createRecord } from '#test/requests/request-record.ts';
import { ClickhouseRows } from './clickhouse-rows.ts';
import { createShipRequests, type EndedRequest } from './ship-requests.ts';

const log = createLogger('silent');
const secrets = { secret: 'a master secret for the tests only', formerSecrets: [] };
const { sealingKey } = createKeyring(secrets.secret);
const { signal } = new AbortController();
const stores = ['ClickHouse', 'object storage', 'PostgreSQL'] as const;
type Store = (typeof stores)[number];
const rounds = isFullSize ? 100 : 6;
/** A round takes about 2 s, and longer on a cluster. */
const roundsMs = rounds * 10_000;
let bucket: TestBucket;
let store: ObjectStore;
let engine: Chdb;
let connection: ClickhouseConnection;
let requestLog: RequestLog;
let database: TestDatabase;
let tenantId: number;
let userId: number;
let runId: string;

async function begin(): Promise<void> {
  database = await createTestDatabase();
  runId = randomUUIDv7();
  const insert = async (statement: string) => (await database.pool.query(statement)).rows[0].id;
  tenantId = await insert("INSERT INTO tenants (name, slug) VALUES ('T', 't') RETURNING id");
  userId = await insert(
    `INSERT INTO users (tenant_id, role_id, email, name, password_hash) VALUES (${tenantId}, 3, 'a@b.c', 'A', 'x') RETURNING id`,
  );
  await connection.run(`TRUNCATE TABLE ${connection.tables.stored}`);
}

function startShipping(through = connection, into = store, pool = database.pool) {
  const putBodies = createPutBodies({
    ...{ database: createSystemDatabase(pool), store: into, secrets, searchedLength: 2_000 },
  });
  const rows = new ClickhouseRows({ pool, connection: through, journal: runId, putBodies, log });
  return createShipRequests({ pool, nodeSlot: 0, runId, rows, putBodies, log });
}

const settle = (count: number): EndedRequest[] =>
  Array.from({ length: count }, (_, index) => ({
    ...createRecord({
      ...{ tenantId, userId: index % 2 === 0 ? userId : null, status: 'success', httpStatus: 200 },
      ...{ prompt: `Question ${index} ${'é'.repeat(2_500)}`, requestBody: `{"text":${index}}` },
    }),
    position: { segment: 1, offset: 8 + index * 100 },
  }));

async function crashWhileShipping(
  random: () => number,
  requests: readonly EndedRequest[],
  step: TransactionStep | null = random() < 0.5
    ? null
    : { number: 1 + Math.floor(random() * 14), lost: pickOne(random, ['request', 'response']) },
): Promise<void> {
  const point = crashAt({ call: 1 + Math.floor(random() * 9), when: pickOne(random, ['before', 'after']) });
  const cutter = await startTransactionCutter(database.connectionString);
  cutter.cutAt(step);
  const pool = createPool(cutter.connectionString, 1, 'sluice-test', {});
  const through = point.wrap(connection, ['insert', 'read', 'run']);
  const isShipped = await startShipping(
    through,
    point.wrap(store, ['put']),
    pool,
  )(requests).then(
    () => true,
    () => false,
  );
  if (cutter.hasCut || point.isReached()) expect(isShipped).toBe(false);
  await pool.end();
  await cutter.close();
}

async function leave(away: Store): Promise<void> {
  if (away === 'ClickHouse') await engine.kill();
  if (away === 'object storage') await bucket.kill();
}

async function comeBack(away: Store): Promise<void> {
  if (away === 'ClickHouse') await engine.restart();
  if (away === 'object storage') await bucket.restart();
}

const byId = (one: { id: string }, next: { id: string }) => (one.id < next.id ? -1 : 1);

const readTexts = (requests: readonly EndedRequest[]) =>
  createRunInTenant(database.pool, requestLog.openTenant)(tenantId, async (tx) => {
    const rows = await tx.requestLog.selectRows(requests.map(({ id }) => id));
    const texts: { id: string; prompt: string | null; body: string | null | undefined }[] = [];
    for (const { id, prompt } of rows)
      texts.push({ id, prompt, body: (await tx.requestLog.findBody(id))?.text });
    return texts.toSorted(byId);
  });

const textsOf = (requests: readonly EndedRequest[]) =>
  requests.map(({ id, prompt, requestBody: body }) => ({ id, prompt, body })).toSorted(byId);

async function expectOnce(requests: readonly EndedRequest[]): Promise<void> {
  expect(await connection.read('SELECT count() AS count FROM request_logs')).toEqual([
    { count: String(requests.length) },
  ]);
  const booked = await database.pool.query('SELECT sum(requests)::integer AS requests FROM usage_rollups');
  expect(booked.rows).toEqual([{ requests: requests.length }]);
  expect(await readTexts(requests)).toEqual(textsOf(requests));
  await runRemoval();
  const { rows } = await database.pool.query('SELECT file FROM body_objects ORDER BY file');
  expect(await bucket.list()).toEqual(rows.map(({ file }) => file));
  const used = await connection.read<{ object: string }>(
    'SELECT DISTINCT body_object AS object FROM request_logs',
  );
  expect(used).toHaveLength(rows.length);
  expect(await readTexts(requests)).toEqual(textsOf(requests));
}

async function runRemoval(): Promise<void> {
  await database.pool.query("UPDATE body_objects SET begun_at = now() - interval '2 days'");
  const system = createSystemDatabase(database.pool);
  const findPlaced = (object: string, ids: readonly string[]) => requestLog.findPlaced(system, object, ids);
  await removeBodies({ database: system, store, findPlaced, signal });
  await database.pool.query('UPDATE obsolete_body_files SET delete_after = now()');
  await removeBodies({ database: system, store, findPlaced, signal });
}

describeWithBucket('bodies in object storage and rows in ClickHouse', () => {
  describeWithClickhouse('shipping and removal', () => {
    beforeAll(async () => {
      bucket = await startBucket();
      store = openObjectStore(bucket.config);
      engine = await startChdb(testedStore);
      await prepareClickhouse(engine.url);
      connection = connect(engine.url);
      requestLog = withBodies(openClickhouseRequestLog(engine.url), { store, sealingKey });
    });
    afterAll(async () => {
      await requestLog.close();
      await connection.close();
      await engine.close();
      await bucket.close();
    });
    beforeEach(async () => {
      await begin();
      return async () => {
        await bucket.clear();
        await database.close();
      };
    });

    it('a crash at any call of ClickHouse or of the bucket leaves one row, one booking and readable texts', async () => {
      let hits = 0;
      for (let call = 1; ; call++) {
        let isReached = false;
        for (const when of ['before', 'after'] as const) {
          const requests = settle(5);
          const first = crashAt({ call: 1 + (call % 2), when });
          const point = crashAt({ call, when });
          const names = ['insert', 'read', 'run'] as const;
          await startShipping(
            first.wrap(connection, names),
            first.wrap(store, ['put']),
          )(requests).catch(() => null);
          await startShipping(
            point.wrap(connection, names),
            point.wrap(store, ['put']),
          )(requests).catch(() => null);
          isReached ||= point.isReached();
          const ship = startShipping();
          await ship(requests.slice(0, 2));
          await ship(requests.slice(2));
          await expectOnce(requests);
          await database.close();
          await bucket.clear();
          await begin();
        }
        if (!isReached) break;
        hits += 1;
      }
      expect(hits).toBeGreaterThan(2);
    });

    it(
      `${rounds} rounds of crashes with each store unavailable in turn leave one row, one booking and readable texts`,
      async () => {
        const random = createRandom('stores away');
        for (let round = 0; round < rounds; round++) {
          const requests = settle(6);
          const away = stores[round % stores.length] ?? 'ClickHouse';
          await crashWhileShipping(random, requests.slice(0, 1 + Math.floor(random() * 5)));
          await leave(away);
          if (away === 'PostgreSQL')
            await crashWhileShipping(random, requests, { number: 1, lost: 'request' });
          else await expect(startShipping()(requests), `round ${round}`).rejects.toThrow();
          await comeBack(away);
          await crashWhileShipping(random, requests);
          const ship = startShipping();
          await ship(requests.slice(0, 2));
          await ship(requests.slice(2));
          await expectOnce(requests);
          await database.close();
          await bucket.clear();
          await begin();
        }
      },
      roundsMs,
    );

    it('texts of a deleted user and expired texts are removed from the bucket', async () => {
      const requests = settle(4);
      await startShipping()(requests);
      const system = createSystemDatabase(database.pool);
      await requestLog.deleteOfUser(system, { tenantId, userId }, signal);
      await runRemoval();
      const kept = requests.filter((request) => request.userId === null);
      expect(await readTexts(kept)).toEqual(textsOf(kept));
      expect(await bucket.list()).toHaveLength(1);
      const nextWeekMs = Date.now() + 7 * 86_400_000;
      const days = [{ tenantId, retentionDays: 90, bodyRetentionDays: 3 }];
      await requestLog.deleteExpired(system, days, nextWeekMs, signal);
      await runRemoval();
      expect(await bucket.list()).toEqual([]);
      expect(await readTexts(kept)).toEqual(
        textsOf(kept).map(({ id }) => ({ id, prompt: null, body: null })),
      );
    });
  });
});
