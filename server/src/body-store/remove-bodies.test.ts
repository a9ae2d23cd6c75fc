import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUIDv7 } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createSystemDatabase, type SystemDatabase } from '#db/system.ts';
import { createRunInTenant } from '#db/tenant.ts';
import { type ObjectStore, openObjectStore } from '#object-store/object-store.ts';
import { createKeyring } from '#platform/keyring.ts';
import { createLogger } from '#platform/logger.ts';
import { postgresRequestLog } from '#request-log/postgres/postgres-request-log.ts';
import type { RequestLog } from '#request-log/request-log.ts';
import { withBodies } from '#request-log/with-bodies.ts';
import { createShipRequests, type EndedRequest } from '#shipper/ship-requests.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { crashAt } from '#test/object-store/crash-at.ts';
import { describeWithBucket, startBucket, type TestBucket } from '#test/object-store/start-bucket.ts';
import { createRecord } from '#test/requests/request-record.ts';
import { readIndex } from './object-format.ts';
import { removeBodies } from './remove-bodies.ts';
import { createPutBodies } from './write-bodies.ts';

const secrets = { secret: 'a master secret for the tests only', formerSecrets: [] };
const { sealingKey } = createKeyring(secrets.secret);
const { signal } = new AbortController();
let bucket: TestBucket;
let store: ObjectStore;
let database: TestDatabase;
let system: SystemDatabase;
let requestLog: RequestLog;
let tenantIds: number[];
let userId: number;

async function begin(): Promise<void> {
  database = await createTestDatabase();
  system = createSystemDatabase(database.pool);
  requestLog = withBodies(postgresRequestLog, { store, sealingKey });
  const { rows } = await database.pool.query(
    "INSERT INTO tenants (name, slug) VALUES ('T', 't'), ('U', 'u') RETURNING id",
  );
  tenantIds = rows.map(({ id }) => id);
  const user = await database.pool.query(
    `INSERT INTO users (tenant_id, role_id, email, name, password_hash) VALUES (${tenantIds[0]}, 3, 'a@b.c', 'A', 'x') RETURNING id`,
  );
  userId = user.rows[0].id;
}

/** Ships the requests as one batch with their texts in one object. */
async function ship(requests: readonly Partial<EndedRequest>[]): Promise<EndedRequest[]> {
  const records = requests.map((given, index) =>
    createRecord({ requestBody: `{"text":${index}}`, prompt: `Question ${index}`, ...given }),
  );
  const putBodies = createPutBodies({ database: system, store, secrets, searchedLength: null });
  await createShipRequests({ pool: database.pool, nodeSlot: 0, putBodies, log: createLogger('silent') })(
    records,
  );
  // The removal skips objects that were used within the last hour.
  await database.pool.query("UPDATE body_objects SET begun_at = now() - interval '2 hours'");
  return records;
}

const remove = (through = store, on = system) =>
  removeBodies({
    database: on,
    store: through,
    signal,
    findPlaced: (object, ids) => requestLog.findPlaced(system, object, ids),
  });

/** Runs `remove` and then deletes the files that are normally kept for an hour. */
async function removeInHours() {
  const first = await remove();
  await database.pool.query('UPDATE obsolete_body_files SET delete_after = now()');
  const { deleted_files: later } = await remove();
  return { ...first, deleted_files: first.deleted_files + later };
}

const readBodies = (requests: readonly EndedRequest[]) =>
  Promise.all(
    requests.map(({ id, tenantId }) =>
      createRunInTenant(database.pool, requestLog.openTenant)(
        tenantId ?? 0,
        async (tx) => (await tx.requestLog.findBody(id))?.text,
      ),
    ),
  );

async function listStored(): Promise<string[]> {
  const { rows } = await database.pool.query('SELECT file, bytes, index_offset FROM body_objects');
  expect(await bucket.list()).toEqual(rows.map(({ file }) => file).toSorted());
  const indexes = await Promise.all(
    rows.map(({ file, bytes, index_offset: offset }) => store.get(file, { offset, length: bytes - offset })),
  );
  return indexes
    .flatMap((index) => readIndex(index ?? Buffer.of()).map(({ requestId }) => requestId))
    .toSorted();
}

const idsOf = (requests: readonly EndedRequest[]) => requests.map(({ id }) => id).toSorted();

const hoursAgo = (hours: number) => Date.now() - hours * 3_600_000;
const idAt = (ms: number) =>
  `${ms
    .toString(16)
    .padStart(12, '0')
    .replace(/^(.{8})/, '$1-')}${randomUUIDv7().slice(13)}`;

describeWithBucket('removal of bodies from object storage', () => {
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

  it('texts of a deleted user are removed from the objects, and those of other users stay readable', async () => {
    const [tenantId, other] = tenantIds;
    const requests = await ship([
      { tenantId, userId },
      { tenantId },
      { tenantId: other },
      { tenantId, userId },
      { tenantId },
    ]);
    const theirs = await ship([{ tenantId, userId }]);
    await requestLog.deleteOfUser(system, { tenantId: tenantId ?? 0, userId }, signal);
    expect(await removeInHours()).toEqual({
      compacted_objects: 1,
      deleted_files: 2,
      discarded_objects: 1,
      waits_for_move: 0,
    });
    const kept = requests.filter((request) => request.userId === null);
    expect(kept).toHaveLength(3);
    expect(await listStored()).toEqual(idsOf(kept));
    expect(await readBodies(kept)).toEqual(kept.map(({ requestBody }) => requestBody));
    expect(await readBodies(theirs)).toEqual([undefined]);
    const [first, ...others] = kept;
    await database.pool.query('DELETE FROM request_log_bodies WHERE id = $1', [first?.id]);
    await database.pool.query("UPDATE body_objects SET begun_at = now() - interval '2 hours'");
    await removeInHours();
    expect(await listStored()).toEqual(idsOf(others));
    expect(await readBodies(others)).toEqual(others.map(({ requestBody }) => requestBody));
  });

  it('a crash at any step neither loses live texts nor leaves texts of a deleted user', async () => {
    const [tenantId = 0, other] = tenantIds;
    let hits = 0;
    for (let call = 1; ; call++) {
      let isReached = false;
      for (const when of ['before', 'after'] as const) {
        const requests = await ship([
          { tenantId, userId },
          { tenantId: other },
          { tenantId, userId },
          { tenantId },
        ]);
        const theirs = await ship([{ tenantId, userId }]);
        await requestLog.deleteOfUser(system, { tenantId, userId }, signal);
        const point = crashAt({ call, when });
        await remove(
          point.wrap(store, ['put', 'get', 'delete']),
          point.wrap(system, ['execute', 'transaction']),
        ).catch(() => undefined);
        isReached ||= point.isReached();
        const kept = requests.filter((request) => request.userId === null);
        expect(await readBodies(kept)).toEqual(kept.map(({ requestBody }) => requestBody));
        expect(await readBodies(theirs)).toEqual([undefined]);
        // Makes replaced files due, which are normally kept for an hour.
        await database.pool.query('UPDATE obsolete_body_files SET delete_after = now()');
        await database.pool.query("UPDATE body_objects SET begun_at = now() - interval '2 hours'");
        await removeInHours();
        expect(await listStored()).toEqual(idsOf(kept));
        expect(await readBodies(kept)).toEqual(kept.map(({ requestBody }) => requestBody));
        await database.pool.query('DELETE FROM request_log_bodies; DELETE FROM request_logs');
        await database.pool.query(
          "UPDATE body_objects SET begun_at = now() - interval '2 hours', check_until = now()",
        );
        await remove();
        expect(await bucket.list()).toEqual([]);
      }
      if (!isReached) break;
      hits += 1;
    }
    expect(hits).toBeGreaterThan(8);
  });

  it("retention deletes fully expired objects and compacts the others, using each tenant's retention period", async () => {
    const [tenantId = 0, other = 0] = tenantIds;
    const kept = [
      { tenantId, retentionDays: 90, bodyRetentionDays: 10 },
      { tenantId: other, retentionDays: 90, bodyRetentionDays: 30 },
    ];
    const at = (days: number, index: number) => {
      const receivedAtMs = hoursAgo(days * 24);
      return { id: idAt(receivedAtMs), receivedAtMs, tenantId: tenantIds[index] ?? null };
    };
    const old = await ship([at(40, 0), at(40, 1)]);
    const mixed = await ship([at(20, 0), at(20, 1)]);
    const fresh = await ship([at(5, 0), at(5, 1)]);
    await requestLog.deleteExpired(system, kept, Date.now(), signal);
    expect(await removeInHours()).toEqual({
      compacted_objects: 1,
      deleted_files: 2,
      discarded_objects: 0,
      waits_for_move: 0,
    });
    const left = [...mixed.slice(1), ...fresh];
    expect(await listStored()).toEqual(idsOf(left));
    expect(await readBodies([...old, ...mixed.slice(0, 1)])).toEqual([null, null, null]);
    expect(await readBodies(left)).toEqual(left.map(({ requestBody }) => requestBody));
    await requestLog.deleteExpired(system, kept, Date.now(), signal);
    await database.pool.query("UPDATE body_objects SET begun_at = now() - interval '2 hours'");
    expect(await remove()).toEqual({
      compacted_objects: 0,
      deleted_files: 0,
      discarded_objects: 0,
      waits_for_move: 0,
    });
  });

  it('removeBodies does not check objects while rows may be in another database', async () => {
    const [tenantId = 0] = tenantIds;
    const requests = await ship([{ tenantId, userId }, { tenantId }]);
    await database.pool.query('INSERT INTO clickhouse_log DEFAULT VALUES');
    await requestLog.deleteOfUser(system, { tenantId, userId }, signal);
    await database.pool.query("UPDATE body_objects SET check_until = now() - interval '1 hour'");
    expect(await removeInHours()).toMatchObject({ compacted_objects: 0, waits_for_move: 1 });
    expect(await listStored()).toEqual(idsOf(requests));
    await database.pool.query('DELETE FROM clickhouse_log');
    expect(await removeInHours()).toMatchObject({ compacted_objects: 1, waits_for_move: 0 });
    expect(await listStored()).toEqual(idsOf(requests.slice(1)));
  });

  it('a text can be read if removeBodies replaces its file between lookup and read', async () => {
    const [tenantId = 0] = tenantIds;
    const requests = await ship([{ tenantId, userId }, { tenantId }]);
    await requestLog.deleteOfUser(system, { tenantId, userId }, signal);
    let isFirst = true;
    const elsewhere = AsyncLocalStorage.snapshot();
    const replacing: ObjectStore = {
      ...store,
      async get(...args) {
        if (isFirst) await elsewhere(() => removeInHours());
        isFirst = false;
        return store.get(...args);
      },
    };
    requestLog = withBodies(postgresRequestLog, { store: replacing, sealingKey });
    expect(await readBodies(requests.slice(1))).toEqual(['{"text":1}']);
  });

  it('an object that is missing or damaged fails the job after the others were checked', async () => {
    const [tenantId = 0] = tenantIds;
    const batches = [];
    for (let count = 0; count < 3; count++) batches.push(await ship([{ tenantId, userId }, { tenantId }]));
    const [missing = '', damaged = ''] = await bucket.list();
    await store.delete(missing);
    await store.put(damaged, Buffer.alloc(10_000));
    await requestLog.deleteOfUser(system, { tenantId, userId }, signal);
    await expect(remove()).rejects.toThrow(/is missing|cannot be read/);
    const { rows } = await database.pool.query("SELECT file FROM body_objects WHERE removed <> '{}'");
    expect(rows).toHaveLength(1);
    expect([missing, damaged]).not.toContain(rows[0].file);
    const texts = await Promise.allSettled(batches.map(([, kept]) => readBodies(kept ? [kept] : [])));
    expect(
      texts.filter((text) => text.status === 'fulfilled' && text.value[0] === '{"text":1}'),
    ).toHaveLength(1);
  });

  it('three concurrent runs of removeBodies keep the live texts and remove the deleted ones', async () => {
    const [tenantId = 0] = tenantIds;
    const requests = await ship([{ tenantId, userId }, { tenantId }]);
    await requestLog.deleteOfUser(system, { tenantId, userId }, signal);
    await Promise.all([remove(), remove(), remove()]);
    await database.pool.query('UPDATE obsolete_body_files SET delete_after = now()');
    await remove();
    expect(await listStored()).toEqual(idsOf(requests.slice(1)));
    expect(await readBodies(requests.slice(1))).toEqual(['{"text":1}']);
  });
});
