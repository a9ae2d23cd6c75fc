import { randomUUIDv7 } from 'node:crypto';
import { logsRoutes, promptReadsRoutes } from '@sluice/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createLogsHandlers } from '#console/logs/routes.ts';
import type { Principal } from '#domain/principal.ts';
import { addPerson, addTenant, createTestConsole } from '#test/console/console.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { createPromptReadsHandlers } from './routes.ts';

let database: TestDatabase;
let tenants = 0;
let ada: Principal;
let mara: Principal;
let noor: Principal;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  const tenantId = await addTenant(database.pool, `Tenant ${++tenants}`);
  ada = await addPerson(database.pool, tenantId, 'admin', `ada@${tenants}.test`);
  mara = await addPerson(database.pool, tenantId, 'user', `mara@${tenants}.test`);
  noor = await addPerson(database.pool, tenantId, 'user', `noor@${tenants}.test`);
});

const readsOf = (principal: Principal, query = {}) =>
  createTestConsole(
    database.pool,
    promptReadsRoutes,
    createPromptReadsHandlers(),
  )({ principal }).listPromptReads({
    query,
  });
const logsOf = (principal: Principal) =>
  createTestConsole(database.pool, logsRoutes, createLogsHandlers())({ principal });

async function addRequest({ tenantId, userId }: Principal): Promise<string> {
  const id = randomUUIDv7();
  await database.pool.query(
    `INSERT INTO request_logs (id, tenant_id, user_id, protocol, operation, status, http_status, is_stream, attempts, received_at, response_time_ms, usage_source)
     VALUES ($1, $2, $3, 'p', 'o', 'success', 200, false, 1, now(), 1, 'none')`,
    [id, tenantId, userId],
  );
  await database.pool.query(
    "INSERT INTO request_log_bodies (id, tenant_id, prompt, request_bytes, response_bytes) VALUES ($1, $2, 'Hi', 1, 1)",
    [id, tenantId],
  );
  return id;
}

describe('listPromptReads', () => {
  it('listPromptReads returns who opened which request, and when', async () => {
    const id = await addRequest(mara);
    await logsOf(ada).getLog({ params: { id } });
    const read = { reader_name: ada.name, action: 'getLog', is_list: false, request_ids: [id] };
    const [found, ...others] = await readsOf(mara);
    expect([found, others]).toEqual([expect.objectContaining(read), []]);
    expect(Math.abs(Date.parse(found?.read_at ?? '') - Date.now())).toBeLessThan(60_000);
  });

  it("listPromptReads returns only reads of the caller's prompts, without requests of others in a list", async () => {
    const own = [await addRequest(mara), await addRequest(mara)];
    const foreign = await addRequest(noor);
    await logsOf(ada).listLogs({ query: {} });
    const [list] = await readsOf(mara);
    expect(list).toMatchObject({ action: 'listLogs', is_list: true });
    expect(list?.request_ids.toSorted()).toEqual(own.toSorted());
    expect((await readsOf(noor))[0]?.request_ids).toEqual([foreign]);
    expect(await readsOf(ada)).toEqual([]);
  });

  it('listPromptReads omits reads by the caller and reads in another tenant', async () => {
    const id = await addRequest(mara);
    await logsOf({ ...mara, role: 'admin' }).getLog({ params: { id } });
    expect(await readsOf(mara)).toEqual([]);
    const elsewhere = await addTenant(database.pool, `Elsewhere ${tenants}`);
    const stranger = await addPerson(database.pool, elsewhere, 'super_admin', `olga@${tenants}.test`);
    await logsOf({ ...stranger, tenantId: mara.tenantId }).getLog({ params: { id } });
    expect(await readsOf(mara)).toMatchObject([{ reader_name: 'Platform operator' }]);
    expect(await readsOf({ ...mara, tenantId: elsewhere })).toEqual([]);
  });

  it('listPromptReads returns pages, newest first', async () => {
    const ids = [await addRequest(mara), await addRequest(mara), await addRequest(mara)];
    for (const id of ids) await logsOf(ada).getLog({ params: { id } });
    const page = (skip: number) => readsOf(mara, { skip, limit: 2 });
    expect([...(await page(0)), ...(await page(2))].flatMap(({ request_ids }) => request_ids)).toEqual(
      ids.toReversed(),
    );
  });
});
