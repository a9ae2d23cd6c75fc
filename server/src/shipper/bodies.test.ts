import { randomUUIDv7 } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { removeBodies } from '#body-store/remove-bodies.ts';
import { createPutBodies } from '#body-store/write-bodies.ts';
import { createPool } from '#db/pool.ts';
import { createSystemDatabase } from '#db/system.ts';
import { createRunInTenant } from '#db/tenant.ts';
import { resealAll } from '#master-key/reseal.ts';
import { type ObjectStore, openObjectStore } from '#object-store/object-store.ts';
import { createKeyring } from '#platform/keyring.ts';
import { createLogger } from '#platform/logger.ts';
import { connect } from '#request-log/clickhouse/connection.ts';
import { postgresRequestLog } from '#request-log/postgres/postgres-request-log.ts';
import { withBodies } from '#request-log/with-bodies.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { startTransactionCutter, type TransactionStep } from '#test/database/transaction-cutter.ts';
import { crashAt } from '#test/object-store/crash-at.ts';
import { describeWithBucket, startBucket, type TestBucket } from '#test/object-store/start-bucket.ts';
import { createRecord } from '#test/requests/request-record.ts';
import { ClickhouseRows } from './clickhouse-rows.ts';
import { createPostgresRows } from './log-row-store.ts';
import { createShipRequests, type EndedRequest, type ShipRequests } from './ship-requests.ts';

const log = createLogger('silent');
const secrets = { secret: 'a master secret for the tests only', formerSecrets: [] };
const { sealingKey } = createKeyring(secrets.secret);
const searchedLength = 2_000;
let bucket: TestBucket;
let store: ObjectStore;
let database: TestDatabase;
let tenantIds: number[];
let runId: string;

async function begin(): Promise<void> {
  database = await createTestDatabase();
  runId = randomUUIDv7();
  const { rows } = await database.pool.query(
    "INSERT INTO tenants (name, slug) VALUES ('T', 't'), ('U', 'u') RETURNING id",
  );
  tenantIds = rows.map(({ id }) => id);
}

function startShipping(pool = database.pool, through = store): ShipRequests {
  const options = { database: createSystemDatabase(pool), store: through, secrets, searchedLength };
  return createShipRequests({ pool, nodeSlot: 0, runId, putBodies: createPutBodies(options), log });
}

function settle(count: number, hasPosition = true): EndedRequest[] {
  return Array.from({ length: count }, (_, index) => ({
    ...createRecord({
      tenantId: tenantIds[index % 2] ?? null,
      model: 'm',
      status: 'success',
      httpStatus: 200,
      prompt: index % 3 === 0 ? `Question ${index} ${'é'.repeat(3_000)}` : `Question ${index}`,
      response: `Answer ${index}`,
      requestBody: JSON.stringify({ messages: [`Question ${index}`] }),
    }),
    ...(hasPosition && { position: { segment: 1 + Math.floor(index / 3), offset: 8 + (index % 3) * 100 } }),
  }));
}

async function readTexts(requests: readonly EndedRequest[], key = sealingKey) {
  const { openTenant } = withBodies(postgresRequestLog, { store, sealingKey: key });
  const runInTenant = createRunInTenant(database.pool, openTenant);
  return Promise.all(
    requests.map(({ id, tenantId }) =>
      runInTenant(tenantId ?? 0, async ({ requestLog }) => {
        const [row] = await requestLog.selectRows([id]);
        const body = await requestLog.findBody(id);
        const judged = await requestLog.findPrompt(id);
        return {
          ids: [row?.id],
          prompts: [row?.prompt, judged?.prompt],
          response: row?.response,
          body: body?.text,
        };
      }),
    ),
  );
}

const textsOf = (requests: readonly EndedRequest[]) =>
  requests.map(({ id, prompt, response, requestBody: body }) => ({
    ids: [id],
    prompts: [prompt, prompt],
    response,
    body,
  }));

async function expectOnce(requests: readonly EndedRequest[]): Promise<void> {
  const { rows } = await database.pool.query('SELECT id FROM request_logs ORDER BY id');
  expect(rows.map(({ id }) => id)).toEqual(requests.map(({ id }) => id).toSorted());
  const booked = await database.pool.query('SELECT sum(requests)::integer AS requests FROM usage_rollups');
  expect(booked.rows).toEqual([{ requests: requests.length }]);
  expect(await readTexts(requests)).toEqual(textsOf(requests));
}

async function expectNoOrphans(): Promise<void> {
  await database.pool.query("UPDATE body_objects SET begun_at = now() - interval '2 days'");
  await runRemoval();
  const { rows } = await database.pool.query('SELECT file FROM body_objects ORDER BY file');
  expect(await bucket.list()).toEqual(rows.map(({ file }) => file));
}

const runRemoval = () =>
  removeBodies({
    database: createSystemDatabase(database.pool),
    store,
    signal: new AbortController().signal,
    findPlaced: (object, ids) =>
      postgresRequestLog.findPlaced(createSystemDatabase(database.pool), object, ids),
  });

async function shipAgain(requests: readonly EndedRequest[]): Promise<void> {
  const ship = startShipping();
  await ship(requests.slice(0, 2));
  await ship(requests.slice(2));
}

describeWithBucket('shipping of bodies to object storage', () => {
  beforeAll(async () => {
    bucket = await startBucket();
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

  it('texts of a batch that was booked for ClickHouse but not delivered are written to PostgreSQL with its rows', async () => {
    const requests = settle(5);
    const { pool } = database;
    const putBodies = createPutBodies({
      ...{ database: createSystemDatabase(pool), store, secrets, searchedLength },
    });
    const connection = connect('http://localhost:1/logs');
    const formerRows = new ClickhouseRows({ pool, connection, journal: runId, putBodies, log });
    const options = { pool, nodeSlot: 0, runId, putBodies, log };
    await expect(createShipRequests({ ...options, rows: formerRows })(requests)).rejects.toThrow(
      'cannot be reached',
    );
    await connection.close();
    const rows = createPostgresRows(pool, runId, putBodies);
    const ship = createShipRequests({ ...options, rows });
    await ship(requests.slice(0, 2));
    await ship(requests.slice(2));
    await expectOnce(requests);
    await rows.forget();
    // Has the same effect as a move that finds ClickHouse empty.
    expect((await pool.query('DELETE FROM clickhouse_log')).rowCount).toBe(1);
    await expectNoOrphans();
    await expectOnce(requests);
    expect(await bucket.list()).toHaveLength(2);
  });

  it.each([true, false])(
    'a crash at any step of the database leaves one row, one booking and no orphan (positions: %s)',
    async (hasPosition) => {
      const cutter = await startTransactionCutter(database.connectionString);
      let cuts = 0;
      for (let number = 1; ; number++) {
        const before = cuts;
        for (const lost of ['request', 'response'] satisfies TransactionStep['lost'][]) {
          await database.pool.query('TRUNCATE usage_rollups, journal_positions, request_logs, body_keys');
          await database.pool.query('TRUNCATE request_log_bodies, request_log_text_blocks');
          await database.pool.query("UPDATE body_objects SET check_until = now() + interval '1 day'");
          const requests = settle(5, hasPosition);
          const pool = createPool(cutter.connectionString, 1, 'sluice-test', {});
          cutter.cutAt({ number, lost });
          await startShipping(pool)(requests).catch(() => undefined);
          await pool.end();
          if (cutter.hasCut) cuts++;
          await shipAgain(requests);
          await expectOnce(requests);
          await expectNoOrphans();
          expect(await readTexts(requests)).toEqual(textsOf(requests));
        }
        if (cuts === before) break;
      }
      await cutter.close();
      expect(cuts).toBeGreaterThan(20);
    },
  );

  it.each([
    ['before', true],
    ['before', false],
    ['after', true],
    ['after', false],
  ] as const)(
    'a failure %s the object is written leaves one row, one booking and no orphan (positions: %s)',
    async (when, hasPosition) => {
      const requests = settle(5, hasPosition);
      const { wrap } = crashAt({ call: 1, when });
      const ship = startShipping(database.pool, wrap(store, ['put']));
      await expect(ship(requests)).rejects.toThrow('crashed');
      expect((await database.pool.query('SELECT FROM request_logs')).rowCount).toBe(0);
      await (hasPosition ? ship(requests) : shipAgain(requests));
      await expectOnce(requests);
      await expectNoOrphans();
    },
  );

  it('the same batch is always stored in the same object, and other requests in a different object', async () => {
    const requests = settle(4);
    const { wrap } = crashAt({ call: 1, when: 'after' });
    await expect(startShipping(database.pool, wrap(store, ['put']))(requests)).rejects.toThrow('crashed');
    const files = await bucket.list();
    expect(files).toHaveLength(1);
    await startShipping()(requests);
    expect(await bucket.list()).toEqual(files);
    await startShipping()(settle(8).slice(4));
    expect(await bucket.list()).toHaveLength(2);
  });

  it('shipping fails while object storage is unavailable, rows remain readable, and shipping catches up afterward', async () => {
    const requests = settle(9);
    const ship = startShipping();
    await ship(requests.slice(0, 3));
    await bucket.kill();
    await expect(ship(requests.slice(3, 6))).rejects.toThrow('cannot be reached');
    await expect(ship(requests.slice(3))).rejects.toThrow('cannot be reached');
    const { openTenant } = withBodies(postgresRequestLog, { store, sealingKey });
    const [request] = requests;
    await createRunInTenant(database.pool, openTenant)(tenantIds[0] ?? 0, async ({ requestLog }) => {
      const [row] = await requestLog.selectRows([request?.id ?? '']);
      expect(row).toMatchObject({ bodyPlace: { isCut: true }, response: 'Answer 0' });
      expect(row?.prompt).toBe(request?.prompt?.slice(0, searchedLength));
      await expect(requestLog.findBody(request?.id ?? '')).rejects.toThrow('cannot be reached at the moment');
    });
    await bucket.restart();
    await ship(requests.slice(3));
    await expectOnce(requests);
  });

  it('a tenant cannot decrypt or locate the texts of another tenant in the same object', async () => {
    const requests = settle(2);
    await startShipping()(requests);
    const { rows } = await database.pool.query('SELECT * FROM request_log_bodies ORDER BY id');
    const [own, foreign] = requests.map(({ id }) => rows.find((row) => row.id === id));
    expect(own.body_object).toBe(foreign.body_object);
    await database.pool.query(
      'UPDATE request_log_bodies SET body_offset = $1, body_length = $2 WHERE id = $3',
      [foreign.body_offset, foreign.body_length, own.id],
    );
    await expect(readTexts(requests.slice(0, 1))).rejects.toThrow('cannot be decrypted');
    await database.pool.query('UPDATE body_objects SET tenants = $1', [[tenantIds[1]]]);
    expect(await readTexts(requests.slice(0, 1))).toMatchObject([{ body: null }]);
  });

  it('texts are readable with only the new master key after a key rotation', async () => {
    const requests = settle(4);
    await startShipping()(requests);
    const next = 'the next master secret for the tests only';
    const { sealingKey: both } = createKeyring(next, { formerSecrets: [secrets.secret] });
    await resealAll(createSystemDatabase(database.pool), both);
    expect(await readTexts(requests, createKeyring(next).sealingKey)).toEqual(textsOf(requests));
    await expect(readTexts(requests)).rejects.toThrow('cannot be decrypted');
  });

  it('objects contain no plaintext, and tables contain no request bodies', async () => {
    const requests = settle(2);
    await startShipping()(requests);
    const [file = ''] = await bucket.list();
    const bytes = await store.get(file);
    expect(bytes?.includes('Question')).toBe(false);
    const { rows } = await database.pool.query('SELECT sealed_key FROM body_keys');
    expect(rows).toHaveLength(2);
    expect(
      (await database.pool.query('SELECT FROM request_log_bodies WHERE request_body_zstd IS NOT NULL'))
        .rowCount,
    ).toBe(0);
  });
});
