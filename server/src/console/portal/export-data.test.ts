import { randomUUIDv7 } from 'node:crypto';
import { portalRoutes, preferencesRoutes } from '@sluice/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createPreferencesHandlers } from '#console/preferences/routes.ts';
import type { Principal } from '#domain/principal.ts';
import { addPerson, addTenant, createTestConsole } from '#test/console/console.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { createPortalHandlers } from './routes.ts';

let database: TestDatabase;
let mara: Principal;
let tom: Principal;
const requests = 501;

beforeAll(async () => {
  database = await createTestDatabase();
  const tenantId = await addTenant(database.pool, 'One');
  mara = await addPerson(database.pool, tenantId, 'user', 'mara@one.test');
  tom = await addPerson(database.pool, tenantId, 'user', 'tom@one.test');
  for (const [owner, count] of [
    [mara, requests],
    [tom, 3],
  ] as const) {
    for (let place = 0; place < count; place++)
      await addLog(owner, place % 2 ? `ask of ${owner.name}` : null);
    await addChat(owner, false);
    await addChat(owner, true);
    await addKey(owner);
  }
});
afterAll(() => database.close());

const run = (statement: string, ...values: unknown[]) => database.pool.query(statement, values);

const as = (principal: Principal) =>
  createTestConsole(
    database.pool,
    { ...portalRoutes, ...preferencesRoutes },
    { ...createPortalHandlers(), ...createPreferencesHandlers() },
  )({ principal });

/** Adds a request. Prompt privacy modes that store no prompts result in a prompt of `null`. */
async function addLog({ tenantId, userId }: Principal, prompt: string | null) {
  const id = randomUUIDv7();
  await run(
    `INSERT INTO request_logs (id, tenant_id, user_id, protocol, operation, status, http_status, is_stream, attempts,
       received_at, response_time_ms, usage_source)
     VALUES ($1, $2, $3, 'openai-chat', 'chat', 'success', 200, false, 1, now(), 1, 'provider')`,
    id,
    tenantId,
    userId,
  );
  if (prompt === null) return;
  await run(
    'INSERT INTO request_log_bodies (id, tenant_id, prompt, request_bytes, response_bytes) VALUES ($1, $2, $3, 0, 0)',
    id,
    tenantId,
    prompt,
  );
}

async function addChat({ tenantId, userId, name }: Principal, isArchived: boolean) {
  const id = randomUUIDv7();
  await run(
    'INSERT INTO chats (id, tenant_id, user_id, title, archived_at) VALUES ($1, $2, $3, $4, $5)',
    id,
    tenantId,
    userId,
    `Chat of ${name}`,
    isArchived ? new Date() : null,
  );
  await run(
    "INSERT INTO chat_messages (id, tenant_id, chat_id, is_user, content) VALUES ($1, $2, $3, true, 'Hello')",
    randomUUIDv7(),
    tenantId,
    id,
  );
}

const addKey = ({ tenantId, userId }: Principal) =>
  run(
    `INSERT INTO api_keys (tenant_id, user_id, name, key_hash, last4, scopes)
     VALUES ($1, $2, 'Laptop', convert_to('secret-hash-' || $2::integer, 'utf8'), 'wxyz', '{models}')`,
    tenantId,
    userId,
  );

interface Exported {
  profile: { email: string };
  preferences: object | null;
  api_keys: { name: string; masked_key: string }[];
  tasks: object[];
  usage_days: object[];
  logs: { prompt: string | null }[];
  chats: { title: string; archived_at: string | null; messages: { content: string }[] }[];
}

async function exportOf(principal: Principal): Promise<{ data: Exported; text: string }> {
  const text = await (await as(principal).exportUserData()).text();
  return { data: JSON.parse(text) as Exported, text };
}

it("exportUserData contains the caller's profile, preferences, keys, requests and chats, and nothing of other users", async () => {
  await as(mara).updatePreferences({ body: { theme: 'dark', density: 'compact', time_zone: null } });
  const { data, text } = await exportOf(mara);
  expect(data).toMatchObject({
    profile: { email: 'mara@one.test' },
    preferences: { theme: 'dark' },
    api_keys: [{ name: 'Laptop' }],
    tasks: [],
    usage_days: [],
  });
  expect(data.logs).toHaveLength(requests);
  expect(new Set(data.logs.map(({ prompt }) => prompt))).toEqual(new Set([null, `ask of ${mara.name}`]));
  expect(data.chats.map(({ archived_at }) => archived_at !== null)).toEqual([true, false]);
  expect(data.chats[0]?.messages).toMatchObject([{ content: 'Hello' }]);
  for (const words of [tom.email, `ask of ${tom.name}`]) expect(text.includes(words), words).toBe(false);
});

it('exportUserData contains no hashes or secrets', async () => {
  await run("UPDATE users SET password_hash = 'scrypt-of-mara' WHERE id = $1", mara.userId);
  const { text } = await exportOf(mara);
  for (const secret of ['secret-hash', 'password', 'hash', 'scrypt-of-mara'])
    expect(text.includes(secret), secret).toBe(false);
});

it('exportUserData returns empty lists for a user without data', async () => {
  const eve = await addPerson(database.pool, mara.tenantId, 'user', 'eve@one.test');
  expect((await exportOf(eve)).data).toMatchObject({ api_keys: [], logs: [], chats: [], preferences: null });
});

it('exportUserData adds an audit entry', async () => {
  await exportOf(tom);
  const { rows } = await run(
    "SELECT action, object_name, object_type FROM audit_entries WHERE actor_id = $1 AND action = 'exportUserData'",
    tom.userId,
  );
  expect(rows).toHaveLength(1);
});
