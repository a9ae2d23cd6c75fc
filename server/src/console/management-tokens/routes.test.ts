import { type ManagementScope, managementTokensRoutes } from '@sluice/contract';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { isManagementToken } from '#domain/api-key.ts';
import type { Principal } from '#domain/principal.ts';
import { createKeyring } from '#platform/keyring.ts';
import { addPerson, addTenant, createTestConsole } from '#test/console/console.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { createManagementTokensHandlers } from './routes.ts';

let database: TestDatabase;
let as: (
  principal: Principal,
) => ReturnType<ReturnType<typeof createTestConsole<typeof managementTokensRoutes>>>;
let admin: Principal;
let mara: Principal;
let stranger: Principal;

beforeAll(async () => {
  database = await createTestDatabase();
  const handlers = createManagementTokensHandlers({ keyring: createKeyring('test') });
  const console = createTestConsole(database.pool, managementTokensRoutes, handlers);
  as = (principal) => console({ principal });
  admin = await addPerson(database.pool, await addTenant(database.pool, 'One'), 'admin', 'admin@one.test');
  mara = await addPerson(database.pool, admin.tenantId, 'user', 'mara@one.test');
  stranger = await addPerson(database.pool, await addTenant(database.pool, 'Two'), 'admin', 'admin@two.test');
});
afterAll(() => database.close());
beforeEach(() => database.pool.query('DELETE FROM management_tokens'));

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
const ownScopes: ManagementScope[] = ['account:read'];
const body = { name: 'CI', scopes: ownScopes, expires_at: inDays(30) };

it('createOwnManagementToken returns the token once and stores only its hash', async () => {
  const { token, ...created } = await as(mara).createOwnManagementToken({ body });
  expect(isManagementToken(token)).toBe(true);
  expect(created).toMatchObject({
    ...body,
    state: 'active',
    user_id: mara.userId,
    user_kind: 'person',
    last_used_at: null,
  });
  expect(await as(mara).listOwnManagementTokens()).toEqual([created]);
  const { rows } = await database.pool.query('SELECT management_tokens::text AS row FROM management_tokens');
  expect(rows[0].row).not.toContain(token.slice(4, 20));
});

it('createManagementToken rejects scopes that the role does not have', async () => {
  const call = (principal: Principal, scope: ManagementScope) =>
    as(principal).createManagementToken({ body: { ...body, scopes: [scope] } });
  await expect(call(mara, 'users:read')).rejects.toMatchObject({ status: 422 });
  await expect(call(admin, 'platform:read')).rejects.toMatchObject({ status: 422 });
  await expect(call(admin, 'users:write')).resolves.toHaveProperty('token');
});

it.each([
  ['no scope', { scopes: [] }],
  ['an unknown scope', { scopes: ['everything'] }],
  ['an expiry in the past', { expires_at: inDays(-1) }],
  ['an expiry after more than a year', { expires_at: inDays(400) }],
])('createManagementToken rejects %s', async (_, wrong) => {
  await expect(as(mara).createManagementToken({ body: { ...body, ...wrong } as never })).rejects.toThrow(
    `"${Object.keys(wrong)[0]}"`,
  );
});

it('createOwnManagementToken without expires_at creates a token that is valid for 90 days', async () => {
  const { expires_at } = await as(mara).createOwnManagementToken({ body: { name: 'CI', scopes: ownScopes } });
  const days = (Date.parse(expires_at) - Date.now()) / 86_400_000;
  expect(days).toBeGreaterThan(89.9);
  expect(days).toBeLessThanOrEqual(90);
});

it.each([
  ['blocked', "is_blocked = true, blocked_reason = 'a test'", 403],
  ['made a user', 'role_id = 3', 422],
])('createManagementToken is rejected if the caller was %s a moment ago', async (_, change, status) => {
  const leaver = await addPerson(database.pool, admin.tenantId, 'admin', `${crypto.randomUUID()}@one.test`);
  await database.pool.query(`UPDATE users SET ${change} WHERE id = $1`, [leaver.userId]);
  const call = as(leaver).createManagementToken({ body: { ...body, scopes: ['users:read'] } });
  await expect(call).rejects.toMatchObject({ status });
});

it('createManagementToken accepts at most 20 valid tokens per user among concurrent calls', async () => {
  const calls = Array.from({ length: 25 }, () => as(mara).createManagementToken({ body }));
  const outcomes = await Promise.allSettled(calls);
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(20);
});

it('listManagementTokens finds tokens by state, name, last characters and owner', async () => {
  const { id, token } = await as(mara).createManagementToken({ body: { ...body, name: 'Terraform' } });
  const { id: revoked } = await as(admin).createManagementToken({ body });
  await as(admin).revokeManagementToken({ params: { id: revoked } });
  const find = async (query: { state?: 'active' | 'ended'; search?: string }) =>
    (await as(admin).listManagementTokens({ query })).map((found) => found.id);
  expect(await find({ state: 'active' })).toEqual([id]);
  expect(await find({ state: 'ended' })).toEqual([revoked]);
  expect(await find({ search: 'terra' })).toEqual([id]);
  expect(await find({ search: token.slice(-4) })).toEqual([id]);
  expect(await find({ search: 'mara@one' })).toEqual([id]);
  expect(await find({ search: 'terra', state: 'ended' })).toEqual([]);
});

it('users can revoke their own tokens, and administrators all tokens of their tenant', async () => {
  const one = await as(mara).createManagementToken({ body });
  const two = await as(mara).createManagementToken({ body });
  const idOf = ({ id }: typeof one) => ({ params: { id } });
  expect(await as(mara).revokeOwnManagementToken(idOf(one))).toMatchObject({ state: 'revoked' });
  expect(await as(admin).revokeManagementToken(idOf(two))).toMatchObject({ state: 'revoked' });
  const missing = { status: 404, detail: 'Management token not found' };
  await expect(as(admin).revokeOwnManagementToken(idOf(one))).rejects.toMatchObject(missing);
  await expect(as(stranger).revokeManagementToken(idOf(one))).rejects.toMatchObject(missing);
  expect(await as(stranger).listManagementTokens({ query: {} })).toEqual([]);
  expect(await as(admin).listManagementTokens({ query: { user_id: mara.userId } })).toHaveLength(2);
});
