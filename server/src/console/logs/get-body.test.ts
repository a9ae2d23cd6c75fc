import { createHash, randomUUIDv7 } from 'node:crypto';
import { logsRoutes } from '@sluice/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { compressText } from '#domain/compressed-text.ts';
import type { Principal } from '#domain/principal.ts';
import { addPerson, addTenant, createTestConsole } from '#test/console/console.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { createLogsHandlers } from './routes.ts';

let database: TestDatabase;
let admin: Principal;
let mara: Principal;

beforeAll(async () => {
  database = await createTestDatabase();
  const tenantId = await addTenant(database.pool, 'One');
  admin = await addPerson(database.pool, tenantId, 'admin', 'admin@one.test');
  mara = await addPerson(database.pool, tenantId, 'user', 'mara@one.test');
});
afterAll(() => database.close());

const getBody = (id: string, principal = admin) =>
  createTestConsole(
    database.pool,
    logsRoutes,
    createLogsHandlers(),
  )({ principal }).getLogBody({ params: { id } });

async function addRequest(columns: Record<string, unknown> = {}, hasTexts = true): Promise<string> {
  const id = randomUUIDv7();
  await database.pool.query(
    `INSERT INTO request_logs (id, tenant_id, user_id, protocol, operation, status, http_status, is_stream, attempts,
       received_at, response_time_ms, usage_source)
     VALUES ($1, $2, $3, 'openai-chat', 'chat', 'success', 200, false, 1, now(), 1, 'provider')`,
    [id, mara.tenantId, mara.userId],
  );
  if (!hasTexts) return id;
  const row = { id, tenant_id: mara.tenantId, request_bytes: 0, response_bytes: 0, ...columns };
  await database.pool.query(
    `INSERT INTO request_log_bodies (${Object.keys(row)}) VALUES (${Object.keys(row).map((_, place) => `$${place + 1}`)})`,
    Object.values(row),
  );
  return id;
}

const prompt = 'Tell me which lock gates of the canal were built before the railway came, and by whom.';
const body = JSON.stringify({
  model: 'gpt-4o',
  temperature: 0,
  messages: [{ role: 'user', content: prompt }],
});
const sha256 = createHash('sha256').update(body).digest();

it('getLogBody returns the sent body with its length and hash', async () => {
  const id = await addRequest({
    prompt,
    request_body_zstd: compressText(body, prompt),
    request_bytes: body.length,
    request_sha256: sha256,
  });
  expect(await getBody(id)).toEqual({
    id,
    body,
    is_cut: false,
    bytes: body.length,
    sha256: sha256.toString('hex'),
    prompt_privacy: 'full',
  });
});

it('getLogBody returns bodies written by version 0.1.0', async () => {
  expect(await getBody(await addRequest({ prompt, request_body: body }))).toMatchObject({ body });
});

it('getLogBody reports a truncated body', async () => {
  const id = await addRequest({ request_body_zstd: compressText(body, null), request_bytes: 100_000 });
  expect(await getBody(id)).toMatchObject({ body, is_cut: true, bytes: 100_000 });
});

it('getLogBody reports that no body is stored, and why', async () => {
  const figures = await addRequest({ prompt_privacy: 'metadata', request_bytes: 100_000 });
  expect(await getBody(figures)).toMatchObject({ body: null, is_cut: false, prompt_privacy: 'metadata' });
  expect(await getBody(await addRequest({}, false))).toMatchObject({
    body: null,
    bytes: 0,
    prompt_privacy: null,
  });
});

it('getLogBody adds an audit entry only if there is a body to read', async () => {
  const id = await addRequest({ prompt, request_body_zstd: compressText(body, prompt) });
  await getBody(id);
  const withoutBody = await addRequest({ prompt_privacy: 'metadata' });
  await getBody(withoutBody);
  const { rows } = await database.pool.query(
    "SELECT actor_id, action FROM audit_entries WHERE object_type = 'prompt' AND object_id = ANY ($1)",
    [[id, withoutBody]],
  );
  expect(rows).toEqual([{ actor_id: admin.userId, action: 'getLogBody' }]);
});

it("getLogBody returns 404 for another tenant's request", async () => {
  const other = await addPerson(database.pool, await addTenant(database.pool, 'Two'), 'admin', 'a@two.test');
  const id = await addRequest({ request_body_zstd: compressText(body, null) });
  const missing = await getBody(randomUUIDv7(), other).catch((error: unknown) => error);
  expect(missing).toMatchObject({ status: 404 });
  await expect(getBody(id, other)).rejects.toEqual(missing);
});
