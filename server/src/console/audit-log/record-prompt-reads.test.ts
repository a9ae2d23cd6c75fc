import { randomUUIDv7 } from 'node:crypto';
import { auditLogRoutes, logsRoutes } from '@sluice/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createLogsHandlers } from '#console/logs/routes.ts';
import type { Principal } from '#domain/principal.ts';
import { addPerson, addTenant, createTestConsole } from '#test/console/console.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { createAuditLogHandlers } from './routes.ts';

let database: TestDatabase;
let tenants = 0;
let admin: Principal;
let mara: Principal;
let noor: Principal;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

beforeEach(async () => {
  const tenantId = await addTenant(database.pool, `Tenant ${++tenants}`);
  const add = (role: 'admin' | 'user', name: string) =>
    addPerson(database.pool, tenantId, role, `${name}@${tenants}.test`);
  admin = await add('admin', 'ada');
  mara = await add('user', 'mara');
  noor = await add('user', 'noor');
});

const logsOf = (principal: Principal) =>
  createTestConsole(database.pool, logsRoutes, createLogsHandlers())({ principal });

async function addRequest(sender: Principal, prompt: string | null = 'Hello'): Promise<string> {
  const id = randomUUIDv7();
  await database.pool.query(
    `INSERT INTO request_logs (id, tenant_id, user_id, protocol, operation, status, http_status, is_stream, attempts,
       received_at, response_time_ms, usage_source)
     VALUES ($1, $2, $3, 'openai-chat', 'chat', 'success', 200, false, 1, now(), 1, 'provider')`,
    [id, sender.tenantId, sender.userId],
  );
  await database.pool.query(
    'INSERT INTO request_log_bodies (id, tenant_id, prompt, request_bytes, response_bytes) VALUES ($1, $2, $3, 0, 0)',
    [id, sender.tenantId, prompt],
  );
  return id;
}

const entriesOf = async (tenantId: number) => {
  const { rows } = await database.pool.query(
    `SELECT actor_id, action, object_type, object_id, object_name, after FROM audit_entries
     WHERE tenant_id = $1 AND object_type LIKE 'prompt%' ORDER BY id`,
    [tenantId],
  );
  return rows;
};

describe('reading a request', () => {
  it("reading a request's text adds one audit entry per hour with the reader, the owner and the request", async () => {
    const id = await addRequest(mara);
    await Promise.all(Array.from({ length: 5 }, () => logsOf(admin).getLog({ params: { id } })));
    const entry = {
      actor_id: admin.userId,
      action: 'getLog',
      object_type: 'prompt',
      object_id: id,
      object_name: 'mara',
      after: { user_id: mara.userId },
    };
    expect(await entriesOf(admin.tenantId)).toEqual([entry]);
    // Disable the append-only trigger to backdate an entry by an hour.
    await database.pool.query('ALTER TABLE audit_entries DISABLE TRIGGER audit_entries_append_only');
    await database.pool.query("UPDATE audit_entries SET created_at = created_at - interval '1 hour'");
    await database.pool.query('ALTER TABLE audit_entries ENABLE TRIGGER audit_entries_append_only');
    const other = await addPerson(database.pool, admin.tenantId, 'admin', `otto@${tenants}.test`);
    for (const reader of [admin, other]) await logsOf(reader).getLog({ params: { id } });
    expect(await entriesOf(admin.tenantId)).toEqual([entry, entry, { ...entry, actor_id: other.userId }]);
  });

  it("reading a request adds no audit entry if it is the caller's own or has no text", async () => {
    await logsOf(admin).getLog({ params: { id: await addRequest(admin) } });
    await logsOf(admin).getLog({ params: { id: await addRequest(mara, null) } });
    expect(await entriesOf(admin.tenantId)).toEqual([]);
  });

  it('reading a request of another tenant is audited in that tenant without naming the operator', async () => {
    const elsewhere = await addTenant(database.pool, `Operators ${tenants}`);
    const operator = await addPerson(database.pool, elsewhere, 'super_admin', `olga@${tenants}.test`);
    const id = await addRequest(mara);
    await logsOf({ ...operator, tenantId: mara.tenantId }).getLog({ params: { id } });
    const auditLog = createTestConsole(database.pool, auditLogRoutes, createAuditLogHandlers());
    const entries = await auditLog({ principal: admin }).listAuditEntries({
      query: { object_type: 'prompt' },
    });
    expect(entries).toMatchObject([{ object_id: id, actor_name: 'Platform operator', actor_email: null }]);
    expect(await entriesOf(elsewhere)).toEqual([]);
  });

  it('reading a request or a list fails if its audit entry cannot be written', async () => {
    const id = await addRequest(mara);
    await database.pool.query('ALTER TABLE audit_entries ADD CONSTRAINT full_disk CHECK (false) NOT VALID');
    await expect(logsOf(admin).getLog({ params: { id } })).rejects.toMatchObject({
      cause: { constraint: 'full_disk' },
    });
    await expect(logsOf(admin).listLogs({ query: {} })).rejects.toMatchObject({
      cause: { constraint: 'full_disk' },
    });
    await database.pool.query('ALTER TABLE audit_entries DROP CONSTRAINT full_disk');
    expect(await logsOf(admin).listLogs({ query: {} })).toHaveLength(1);
    expect(await entriesOf(admin.tenantId)).toHaveLength(1);
  });

  it('the database rejects an audit entry without an actor', async () => {
    const read = database.pool.query('SELECT record_prompt_read(gen_random_uuid())');
    await expect(read).rejects.toThrow(/query returned no rows/);
  });
});

describe('reading a list of requests', () => {
  const people = async () =>
    (await entriesOf(admin.tenantId)).map(({ object_name, after }) => [object_name, after.requests]);

  it('reading a list adds one audit entry that names owners and requests, and polling adds no more', async () => {
    const ids = [await addRequest(mara), await addRequest(mara), await addRequest(noor)];
    await addRequest(admin);
    for (let polled = 0; polled < 5; polled++) await logsOf(admin).listLogs({ query: {} });
    const [entry, ...others] = await entriesOf(admin.tenantId);
    expect(others).toEqual([]);
    expect(entry).toMatchObject({
      actor_id: admin.userId,
      action: 'listLogs',
      object_type: 'prompt_list',
      object_id: `${mara.userId},${noor.userId}`,
      object_name: 'mara, noor',
      after: { user_ids: [mara.userId, noor.userId], requests: 3 },
    });
    expect(entry.after.request_ids.toSorted()).toEqual(ids.toSorted());
  });

  it('reading a list adds another audit entry for new users, for each reader, and each hour', async () => {
    await addRequest(mara);
    await logsOf(admin).listLogs({ query: {} });
    await addRequest(noor);
    await logsOf(admin).listLogs({ query: {} });
    const other = await addPerson(database.pool, admin.tenantId, 'admin', `otto@${tenants}.test`);
    await logsOf(other).listLogs({ query: {} });
    expect(await people()).toEqual([
      ['mara', 1],
      ['noor', 1],
      ['mara, noor', 2],
    ]);
    await database.pool.query("UPDATE prompt_list_reads SET hour = hour - interval '1 hour'");
    await logsOf(admin).listLogs({ query: {} });
    expect((await people()).slice(3)).toEqual([['mara, noor', 2]]);
    const { rows } = await database.pool.query(
      'SELECT count(*)::integer FROM prompt_list_reads WHERE reader_id = $1',
      [admin.userId],
    );
    expect(rows).toEqual([{ count: 2 }]);
  });

  it('concurrent list reads add one audit entry', async () => {
    await addRequest(mara);
    await addRequest(noor);
    await Promise.all(Array.from({ length: 20 }, () => logsOf(admin).listLogs({ query: {} })));
    expect(await people()).toEqual([['mara, noor', 2]]);
  });

  it('reading a list also audits requests of deleted users', async () => {
    await addRequest({ ...mara, userId: 999_999 });
    const id = await addRequest(mara);
    await database.pool.query('UPDATE request_logs SET user_id = NULL WHERE id = $1', [id]);
    await logsOf(admin).listLogs({ query: {} });
    expect(await people()).toEqual([[null, 2]]);
  });

  it('a search that returns only the number of matches counts as a read', async () => {
    await addRequest(mara, 'I want to resign');
    expect(await logsOf(admin).listLogs({ query: { search: 'resign', skip: 10 } })).toEqual([]);
    expect(await people()).toEqual([['mara', 1]]);
  });

  it('an audit entry for a list names at most fifty requests', async () => {
    for (let count = 0; count < 60; count++) await addRequest(mara);
    await logsOf(admin).listLogs({ query: {} });
    const [{ after }] = await entriesOf(admin.tenantId);
    expect([after.request_ids.length, after.requests]).toEqual([50, 60]);
  });
});
