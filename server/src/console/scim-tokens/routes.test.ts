import { scimTokensRoutes } from '@sluice/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createSystemDatabase } from '#db/system.ts';
import type { Principal } from '#domain/principal.ts';
import { isScimToken } from '#domain/scim-token.ts';
import { createKeyring } from '#platform/keyring.ts';
import { addPerson, addTenant, createTestConsole } from '#test/console/console.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { createAuthenticateScim } from './authenticate.ts';
import { createScimTokensHandlers } from './routes.ts';

const keyring = createKeyring('test');
const hourMs = 3_600_000;
const publicUrl = 'https://llm.example.com';
let database: TestDatabase;
let as: (principal: Principal) => ReturnType<ReturnType<typeof createTestConsole<typeof scimTokensRoutes>>>;
let admin: Principal;
let stranger: Principal;
/** Resolves to the name of a valid token, or `null`. */
let nameOf: (token: string) => Promise<string | null>;

beforeAll(async () => {
  database = await createTestDatabase();
  const handlers = createScimTokensHandlers({ keyring, publicUrl });
  const console = createTestConsole(database.pool, scimTokensRoutes, handlers);
  as = (principal) => console({ principal });
  admin = await addPerson(database.pool, await addTenant(database.pool, 'One'), 'admin', 'admin@one.test');
  stranger = await addPerson(database.pool, await addTenant(database.pool, 'Two'), 'admin', 'admin@two.test');
  const throttle = { count: async () => undefined, takeBack: async () => undefined };
  const authenticate = createAuthenticateScim({
    authenticateToken: async () => null,
    database: createSystemDatabase(database.pool),
    keyring,
    throttle,
  });
  nameOf = (token) =>
    authenticate(token, { address: '192.0.2.1' }).then(
      ({ tokenName }) => tokenName,
      () => null,
    );
});
afterAll(() => database.close());
beforeEach(() => database.pool.query('DELETE FROM scim_tokens'));

const create = (name = 'Entra ID') => as(admin).createScimToken({ body: { name } });

describe('SCIM tokens', () => {
  it('createScimToken returns the secret once and stores only its hash', async () => {
    const { token, ...created } = await create();
    expect(isScimToken(token)).toBe(true);
    expect(created).toMatchObject({
      name: 'Entra ID',
      masked_token: `scim_…${token.slice(-4)}`,
      can_assign_roles: false,
      created_by_name: 'admin',
      last_used_at: null,
      is_expired: false,
    });
    expect(Date.parse(created.expires_at) - Date.now()).toBeGreaterThan(364 * 24 * hourMs);
    expect(await as(admin).listScimTokens()).toEqual({
      base_url: 'https://llm.example.com/scim/v2',
      scim_tokens: [created],
    });
    const { rows } = await database.pool.query('SELECT scim_tokens::text AS row FROM scim_tokens');
    expect(rows[0].row).not.toContain(token.slice(5, 20));
    const { rows: entries } = await database.pool.query(
      "SELECT after FROM audit_entries WHERE object_type = 'scim_token'",
    );
    expect(entries[0].after).toMatchObject({ name: 'Entra ID', token_hash: '[redacted]' });
  });

  it('authentication records the last use of a SCIM token', async () => {
    const { token } = await create();
    expect(await nameOf(token)).toBe('Entra ID');
    const { scim_tokens } = await as(admin).listScimTokens();
    expect(scim_tokens[0]?.last_used_at).not.toBeNull();
  });

  it('createScimToken and updateScimToken reject a name used by another token, ignoring case', async () => {
    await create('Okta');
    const { id } = await create('Entra ID');
    await expect(create('OKTA')).rejects.toMatchObject({ status: 422 });
    const rename = (name: string) => as(admin).updateScimToken({ params: { id }, body: { name } });
    await expect(rename('okta')).rejects.toMatchObject({ status: 422 });
    expect(await rename('Entra')).toMatchObject({ name: 'Entra', can_assign_roles: false });
    await as(admin).revokeScimToken({ params: { id } });
    await expect(create('Entra')).resolves.toHaveProperty('token');
  });

  it.each([
    ['at once', undefined, [null, 'Entra ID']],
    ['after the overlap', 24, ['Entra ID', 'Entra ID']],
  ])('rotateScimToken invalidates the previous secret %s', async (_when, overlap_hours, names) => {
    const former = await create();
    const { id } = former;
    const body = overlap_hours === undefined ? undefined : { overlap_hours };
    const { token, ...rotated } = await as(admin).rotateScimToken({ params: { id }, body });
    expect([await nameOf(former.token), await nameOf(token)]).toEqual(names);
    expect(rotated).toMatchObject({ id, name: 'Entra ID', masked_token: `scim_…${token.slice(-4)}` });
    expect(rotated.former_expires_at === null).toBe(overlap_hours === undefined);
    await database.pool.query(
      'UPDATE scim_tokens SET former_expires_at = now() WHERE former_hash IS NOT NULL',
    );
    expect([await nameOf(former.token), await nameOf(token)]).toEqual([null, 'Entra ID']);
    expect((await as(admin).listScimTokens()).scim_tokens[0]?.former_expires_at).toBeNull();
  });

  it('rotateScimToken with an overlap does not make an expired secret valid again', async () => {
    const { id, token } = await create();
    await database.pool.query("UPDATE scim_tokens SET expires_at = now() - interval '1 second'");
    expect(await nameOf(token)).toBeNull();
    await as(admin).rotateScimToken({ params: { id }, body: { overlap_hours: 168 } });
    expect(await nameOf(token)).toBeNull();
  });

  it('revokeScimToken invalidates both secrets permanently', async () => {
    const former = await create();
    const { id } = former;
    const { token } = await as(admin).rotateScimToken({ params: { id }, body: { overlap_hours: 24 } });
    await as(admin).revokeScimToken({ params: { id } });
    expect([await nameOf(former.token), await nameOf(token)]).toEqual([null, null]);
    const missing = { status: 404, detail: 'SCIM token not found' };
    await expect(as(admin).revokeScimToken({ params: { id } })).rejects.toMatchObject(missing);
    await expect(as(admin).rotateScimToken({ params: { id } })).rejects.toMatchObject(missing);
    expect((await as(admin).listScimTokens()).scim_tokens).toEqual([]);
  });

  it("SCIM token routes return 404 for another tenant's tokens", async () => {
    const { id } = await create();
    const missing = { status: 404, detail: 'SCIM token not found' };
    const params = { id };
    for (const act of [
      () => as(stranger).revokeScimToken({ params }),
      () => as(stranger).rotateScimToken({ params }),
      () => as(stranger).updateScimToken({ params, body: { can_assign_roles: true } }),
    ])
      await expect(act()).rejects.toMatchObject(missing);
    expect((await as(stranger).listScimTokens()).scim_tokens).toEqual([]);
  });

  it.each([
    [{ expires_at: new Date(Date.now() - 1_000).toISOString() }, 'The time must be in the future'],
    [{ expires_at: new Date(Date.now() + 3 * 366 * 24 * hourMs).toISOString() }, 'at most 2 years'],
    [{ name: '' }, 'Name is required'],
    [{ name: 'x'.repeat(101) }, 'at most 100 characters'],
  ])('createScimToken rejects %j', async (fields, problem) => {
    await expect(as(admin).createScimToken({ body: { name: 'x', ...fields } })).rejects.toThrow(problem);
  });
});
