import { apiKeysRoutes } from '@sluice/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { isApiKey } from '#domain/api-key.ts';
import type { Principal } from '#domain/principal.ts';
import { createKeyring } from '#platform/keyring.ts';
import { addPerson, addTenant, createTestConsole } from '../../../test/console.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/database.ts';
import { createApiKeysHandlers } from './routes.ts';

const keyring = createKeyring('test');
let database: TestDatabase;
let as: (principal: Principal) => ReturnType<ReturnType<typeof createTestConsole<typeof apiKeysRoutes>>>;
let admin: Principal;
let mara: Principal;

beforeAll(async () => {
  database = await createTestDatabase();
  const console = createTestConsole(database.pool, apiKeysRoutes, createApiKeysHandlers({ keyring }));
  as = (principal) => console({ principal });
  admin = await addPerson(database.pool, await addTenant(database.pool, 'One'), 'admin', 'admin@one.test');
  mara = await addPerson(database.pool, admin.tenantId, 'user', 'mara@one.test');
});
afterAll(() => database.close());
beforeEach(() => database.pool.query('DELETE FROM api_keys'));

const idOf = ({ userId }: Principal) => ({ params: { id: userId } });
const readKeys = async () => {
  const { rows } = await database.pool.query(
    'SELECT key_hash, last4, revoked_at IS NULL AS is_usable, created_by FROM api_keys ORDER BY id',
  );
  return rows;
};

describe('the state of a key', () => {
  it('is empty for a user who never had one', async () => {
    expect(await as(admin).getUserApiKey(idOf(mara))).toEqual({ has_api_key: false, api_key_status: null });
  });

  it('tells the last four characters and nothing more of the key', async () => {
    const { api_key } = await as(admin).createUserApiKey(idOf(mara));
    const state = await as(admin).getUserApiKey(idOf(mara));
    expect(state).toEqual({
      has_api_key: true,
      api_key_status: {
        name: "mara's key",
        masked_key: `slc_…${api_key.slice(-4)}`,
        is_active: true,
        is_expired: false,
        scopes: ['completions', 'embeddings', 'models'],
        created_at: expect.any(String),
        last_used_at: null,
        expires_at: null,
      },
    });
  });

  it('tells an expired key as such', async () => {
    await as(admin).createUserApiKey(idOf(mara));
    await database.pool.query("UPDATE api_keys SET expires_at = now() - interval '1 s'");
    const { api_key_status } = await as(admin).getUserApiKey(idOf(mara));
    expect(api_key_status).toMatchObject({ is_active: true, is_expired: true });
  });
});

describe('creating a key', () => {
  it('answers the secret once and keeps only its hash', async () => {
    const { api_key } = await as(admin).createUserApiKey(idOf(mara));
    expect(isApiKey(api_key)).toBe(true);
    expect(await readKeys()).toEqual([
      {
        key_hash: keyring.hashApiKey(api_key),
        last4: api_key.slice(-4),
        is_usable: true,
        created_by: admin.userId,
      },
    ]);
    const { rows } = await database.pool.query('SELECT api_keys::text AS row FROM api_keys');
    expect(rows[0].row).not.toContain(api_key.slice(4, 20));
  });

  it('is refused with 409 while one is active', async () => {
    await as(admin).createUserApiKey(idOf(mara));
    await expect(as(admin).createUserApiKey(idOf(mara))).rejects.toMatchObject({
      status: 409,
      detail: 'This user already has an active API key',
    });
  });

  it('has one winner when many create at once', async () => {
    const creates = Array.from({ length: 10 }, () => as(admin).createUserApiKey(idOf(mara)));
    const outcomes = await Promise.allSettled(creates);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ status: 409 });
    }
    expect(await readKeys()).toHaveLength(1);
  });

  it('replaces one that has expired', async () => {
    await as(admin).createUserApiKey(idOf(mara));
    await database.pool.query("UPDATE api_keys SET expires_at = now() - interval '1 s'");
    await as(admin).createUserApiKey(idOf(mara));
    expect((await readKeys()).map((key) => key.is_usable)).toEqual([false, true]);
  });

  it('works for people who are blocked or inactive', async () => {
    const idle = await addPerson(database.pool, admin.tenantId, 'user', 'idle@one.test');
    await database.pool.query('UPDATE users SET is_blocked = true, is_active = false WHERE id = $1', [
      idle.userId,
    ]);
    await expect(as(admin).createUserApiKey(idOf(idle))).resolves.toHaveProperty('api_key');
  });
});

describe('regenerating a key', () => {
  it('revokes the old one and answers the new one', async () => {
    const old = await as(admin).createUserApiKey(idOf(mara));
    const fresh = await as(admin).regenerateUserApiKey(idOf(mara));
    expect((await readKeys()).map((key) => [key.key_hash, key.is_usable])).toEqual([
      [keyring.hashApiKey(old.api_key), false],
      [keyring.hashApiKey(fresh.api_key), true],
    ]);
  });

  it('is refused where there is none, or none that could be revoked', async () => {
    const missing = { status: 404, detail: 'API key not found' };
    await expect(as(admin).regenerateUserApiKey(idOf(mara))).rejects.toMatchObject(missing);
    await as(admin).createUserApiKey(idOf(mara));
    await as(admin).revokeUserApiKey(idOf(mara));
    await expect(as(admin).regenerateUserApiKey(idOf(mara))).rejects.toMatchObject(missing);
    expect((await readKeys()).filter((key) => key.is_usable)).toEqual([]);
  });

  it('leaves one usable key when many regenerate at once', async () => {
    await as(admin).createUserApiKey(idOf(mara));
    await Promise.all(Array.from({ length: 8 }, () => as(admin).regenerateUserApiKey(idOf(mara))));
    expect((await readKeys()).filter((key) => key.is_usable)).toHaveLength(1);
  });
});

describe('revoking a key', () => {
  it('makes it inactive for good', async () => {
    await as(admin).createUserApiKey(idOf(mara));
    const state = await as(admin).revokeUserApiKey(idOf(mara));
    expect(state).toMatchObject({ has_api_key: true, api_key_status: { is_active: false } });
    await expect(as(admin).revokeUserApiKey(idOf(mara))).rejects.toMatchObject({ status: 404 });
    await expect(as(admin).createUserApiKey(idOf(mara))).resolves.toHaveProperty('api_key');
  });
});

describe('whose key it may be', () => {
  const acts = (actor: Principal, owner: Principal) => [
    () => as(actor).createUserApiKey(idOf(owner)),
    () => as(actor).regenerateUserApiKey(idOf(owner)),
    () => as(actor).revokeUserApiKey(idOf(owner)),
  ];

  it('is not that of another tenant, which looks like nobody', async () => {
    const stranger = await addPerson(
      database.pool,
      await addTenant(database.pool, 'Two'),
      'user',
      's@two.test',
    );
    for (const act of [...acts(admin, stranger), () => as(admin).getUserApiKey(idOf(stranger))]) {
      await expect(act()).rejects.toMatchObject({ status: 404, detail: 'User not found' });
    }
  });

  it('is that of a super administrator only for another one, since a key acts as its owner', async () => {
    const root = await addPerson(database.pool, admin.tenantId, 'super_admin', 'root@one.test');
    for (const act of acts(admin, root)) await expect(act()).rejects.toMatchObject({ status: 403 });
    for (const act of acts(root, root)) await expect(act()).resolves.toBeDefined();
  });
});
