import { logsOf, logsRoutes } from '@sluice/contract';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createPutBodies } from '#body-store/write-bodies.ts';
import { createSystemDatabase } from '#db/system.ts';
import type { Principal } from '#domain/principal.ts';
import { type ObjectStore, openObjectStore } from '#object-store/object-store.ts';
import { createKeyring } from '#platform/keyring.ts';
import { createLogger } from '#platform/logger.ts';
import { postgresRequestLog } from '#request-log/postgres/postgres-request-log.ts';
import { withBodies } from '#request-log/with-bodies.ts';
import { createShipRequests } from '#shipper/ship-requests.ts';
import { addPerson, addTenant, createTestConsole } from '#test/console/console.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { describeWithBucket, startBucket, type TestBucket } from '#test/object-store/start-bucket.ts';
import { createRecord } from '#test/requests/request-record.ts';
import { createLogsHandlers } from './routes.ts';

const secrets = { secret: 'a master secret for the tests only', formerSecrets: [] };
const { sealingKey } = createKeyring(secrets.secret);
let bucket: TestBucket;
let store: ObjectStore;
let database: TestDatabase;
let admin: Principal;
let gets: number;

const prompt = `Which lock gates ${'are older than the railway, and '.repeat(100)}why?`;
const record = () =>
  createRecord({
    ...{ tenantId: admin.tenantId, status: 'success', httpStatus: 200 },
    ...{ prompt, response: 'Some.', requestBody: JSON.stringify({ prompt }) },
  });

const openConsole = (searched = store) => {
  const { openTenant } = withBodies(postgresRequestLog, { store: searched, sealingKey });
  return createTestConsole(database.pool, logsRoutes, createLogsHandlers(), openTenant)({ principal: admin });
};

async function ship(count: number): Promise<string[]> {
  const records = Array.from({ length: count }, record);
  const system = createSystemDatabase(database.pool);
  const putBodies = createPutBodies({ database: system, store, secrets, searchedLength: 2_000 });
  const log = createLogger('silent');
  await createShipRequests({ pool: database.pool, nodeSlot: 0, putBodies, log })(records);
  return records.map(({ id }) => id);
}

describeWithBucket('the console with bodies in object storage', () => {
  beforeAll(async () => {
    bucket = await startBucket();
    const opened = openObjectStore(bucket.config);
    store = {
      ...opened,
      get(...args) {
        gets += 1;
        return opened.get(...args);
      },
    };
    database = await createTestDatabase();
    admin = await addPerson(
      database.pool,
      await addTenant(database.pool, 'One'),
      ...(['admin', 'admin@one.test'] as const),
    );
  });
  afterAll(async () => {
    await database.close();
    await bucket.close();
  });
  beforeEach(async () => {
    gets = 0;
    await database.pool.query('TRUNCATE request_logs, request_log_bodies, request_log_text_blocks');
  });

  it('details and exports return full texts from object storage, but lists and searches do not read it', async () => {
    const ids = await ship(20);
    const console = openConsole();
    const listed = logsOf(await console.listLogs({ query: { search: 'lock gates' } }));
    expect(listed.map(({ prompt: text }) => text)).toEqual(ids.map(() => prompt.slice(0, 2_000)));
    expect(gets).toBe(0);
    const [id = ''] = ids;
    const entry = await console.getLog({ params: { id } });
    expect(entry).toMatchObject({ prompt, response: 'Some.' });
    expect(entry).not.toHaveProperty('is_text_cut');
    expect(await console.getLogBody({ params: { id } })).toMatchObject({ body: JSON.stringify({ prompt }) });
    expect(gets).toBe(2);
    const exported = await (await console.exportLogs({ query: { format: 'jsonl' } })).text();
    const lines = exported.trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line).prompt)).toEqual(ids.map(() => prompt));
    expect(gets).toBe(22);
  });

  it('search finds only text within the searchable part of long prompts', async () => {
    await ship(1);
    const console = openConsole();
    expect(logsOf(await console.listLogs({ query: { search: 'lock gates' } }))).toHaveLength(1);
    expect(logsOf(await console.listLogs({ query: { search: 'and why?' } }))).toHaveLength(0);
  });

  it('listLogs and getLog work while object storage is unavailable, and getLogBody and exportLogs fail with a reason', async () => {
    const [id = ''] = await ship(1);
    const console = openConsole();
    await bucket.kill();
    expect(logsOf(await console.listLogs({ query: {} }))).toHaveLength(1);
    expect(await console.getLog({ params: { id } })).toMatchObject({
      ...{ id, prompt: prompt.slice(0, 2_000), response: 'Some.', is_text_cut: true },
    });
    await expect(console.getLogBody({ params: { id } })).rejects.toThrow(
      'The object storage with the text of this request cannot be reached at the moment.',
    );
    await expect(console.exportLogs({ query: { format: 'csv' } })).rejects.toThrow('cannot be reached');
    await bucket.restart();
    expect(await console.getLog({ params: { id } })).toMatchObject({ prompt });
  });
});
