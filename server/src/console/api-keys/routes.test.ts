import { apiKeysRoutes, regenerateApiKeyBody } from '@sluice/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { isApiKey } from '#domain/api-key.ts';
import type { Principal } from '#domain/principal.ts';
import { createKeyring } from '#platform/keyring.ts';
import { addPerson, addTenant, createTestConsole } from '#test/console/console.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
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

describe('API key status', () => {
  it('getUserApiKey is empty for a user who never had a key', async () => {
    expect(await as(admin).getUserApiKey(idOf(mara))).toEqual({
      has_api_key: false,
      api_key_status: null,
      former_key: null,
    });
  });

  it('getUserApiKey returns only the last four characters of the key', async () => {
    const { api_key } = await as(admin).createUserApiKey(idOf(mara));
    const state = await as(admin).getUserApiKey(idOf(mara));
    expect(state).toEqual({
      has_api_key: true,
      api_key_status: {
        id: expect.any(Number),
        name: "mara's key",
        masked_key: `slc_…${api_key.slice(-4)}`,
        is_active: true,
        is_expired: false,
        scopes: ['completions', 'embeddings', 'models'],
        created_at: expect.any(String),
        last_used_at: null,
        expires_at: null,
        spend_usd_today: 0,
        spend_usd_month: 0,
        spend_usd_last_month: 0,
      },
      former_key: null,
    });
  });

  it('getUserApiKey reports an expired key as expired', async () => {
    await as(admin).createUserApiKey(idOf(mara));
    await database.pool.query("UPDATE api_keys SET expires_at = now() - interval '1 s'");
    const { api_key_status } = await as(admin).getUserApiKey(idOf(mara));
    expect(api_key_status).toMatchObject({ is_active: true, is_expired: true });
  });
});

describe('createUserApiKey', () => {
  it('createUserApiKey returns the secret once and stores only its hash', async () => {
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

  it('createUserApiKey returns 409 while a key is active', async () => {
    await as(admin).createUserApiKey(idOf(mara));
    await expect(as(admin).createUserApiKey(idOf(mara))).rejects.toMatchObject({
      status: 409,
      detail: 'This user already has an active API key',
    });
  });

  it('createUserApiKey succeeds once among concurrent calls', async () => {
    const creates = Array.from({ length: 10 }, () => as(admin).createUserApiKey(idOf(mara)));
    const outcomes = await Promise.allSettled(creates);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ status: 409 });
    }
    expect(await readKeys()).toHaveLength(1);
  });

  it('createUserApiKey replaces an expired key', async () => {
    await as(admin).createUserApiKey(idOf(mara));
    await database.pool.query("UPDATE api_keys SET expires_at = now() - interval '1 s'");
    await as(admin).createUserApiKey(idOf(mara));
    expect((await readKeys()).map((key) => key.is_usable)).toEqual([false, true]);
  });

  it('createUserApiKey works for users who are blocked or inactive', async () => {
    const idle = await addPerson(database.pool, admin.tenantId, 'user', 'idle@one.test');
    await database.pool.query('UPDATE users SET is_blocked = true, is_active = false WHERE id = $1', [
      idle.userId,
    ]);
    await expect(as(admin).createUserApiKey(idOf(idle))).resolves.toHaveProperty('api_key');
  });
});

describe('regenerateUserApiKey', () => {
  it('regenerateUserApiKey revokes the old key and returns the new one', async () => {
    const old = await as(admin).createUserApiKey(idOf(mara));
    const fresh = await as(admin).regenerateUserApiKey(idOf(mara));
    expect((await readKeys()).map((key) => [key.key_hash, key.is_usable])).toEqual([
      [keyring.hashApiKey(old.api_key), false],
      [keyring.hashApiKey(fresh.api_key), true],
    ]);
  });

  it('regenerateUserApiKey is rejected without a key that can be revoked', async () => {
    const missing = { status: 404, detail: 'API key not found' };
    await expect(as(admin).regenerateUserApiKey(idOf(mara))).rejects.toMatchObject(missing);
    await as(admin).createUserApiKey(idOf(mara));
    await as(admin).revokeUserApiKey(idOf(mara));
    await expect(as(admin).regenerateUserApiKey(idOf(mara))).rejects.toMatchObject(missing);
    expect((await readKeys()).filter((key) => key.is_usable)).toEqual([]);
  });

  it('regenerateUserApiKey leaves one usable key after concurrent calls', async () => {
    await as(admin).createUserApiKey(idOf(mara));
    await Promise.all(Array.from({ length: 8 }, () => as(admin).regenerateUserApiKey(idOf(mara))));
    expect((await readKeys()).filter((key) => key.is_usable)).toHaveLength(1);
  });
});

const hourMs = 3_600_000;
const inHours = (hours: number) => new Date(Date.now() + hours * hourMs).toISOString();

describe('options of a new key', () => {
  it('createUserApiKey stores the expiry and the scopes, deduplicated and in contract order', async () => {
    const expires_at = inHours(48);
    await as(admin).createUserApiKey({
      ...idOf(mara),
      body: { scopes: ['models', 'completions', 'models'], expires_at },
    });
    const { api_key_status } = await as(admin).getUserApiKey(idOf(mara));
    expect(api_key_status).toMatchObject({
      scopes: ['completions', 'models'],
      expires_at,
      is_expired: false,
    });
  });

  it.each([
    [{ scopes: [] }, 'Choose at least one scope'],
    [{ expires_at: inHours(-1) }, 'The time must be in the future'],
    [{ overlap_seconds: 604_801 }, ''],
    [{ overlap_seconds: -1 }, ''],
    [{ overlap_seconds: 0.5 }, ''],
  ])('regenerateApiKeyBody rejects %j', (body, message) => {
    const { error } = regenerateApiKeyBody.safeParse(body);
    expect(error?.issues[0]?.message).toContain(message);
  });
});

describe('own key', () => {
  const allow = (isAllowed: boolean) =>
    database.pool.query('UPDATE tenants SET users_regenerate_keys = $1 WHERE id = $2', [
      isAllowed,
      mara.tenantId,
    ]);

  it('regenerateOwnApiKey is rejected unless the tenant allows it, which is off by default', async () => {
    await as(admin).createUserApiKey(idOf(mara));
    await expect(as(mara).regenerateOwnApiKey({ body: {} })).rejects.toMatchObject({
      status: 403,
      detail: expect.stringContaining('Ask an administrator'),
    });
    expect(await readKeys()).toHaveLength(1);
  });

  it('regenerateOwnApiKey keeps scopes and expiry of the key that it replaces', async () => {
    await allow(true);
    const expires_at = inHours(30);
    await as(admin).createUserApiKey({ ...idOf(mara), body: { scopes: ['models'], expires_at } });
    const { api_key } = await as(mara).regenerateOwnApiKey({ body: { overlap_seconds: 3_600 } });
    const { api_key_status, former_key } = await as(admin).getUserApiKey(idOf(mara));
    expect(api_key_status).toMatchObject({
      masked_key: `slc_…${api_key.slice(-4)}`,
      scopes: ['models'],
      expires_at,
    });
    expect(former_key).not.toBeNull();
  });

  it('regenerateOwnApiKey limits a user, but not an administrator, to 10 new keys in 24 hours, even in parallel', async () => {
    await allow(true);
    await as(admin).createUserApiKey(idOf(mara));
    const outcomes = await Promise.allSettled(
      Array.from({ length: 15 }, () => as(mara).regenerateOwnApiKey({ body: {} })),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(9);
    await expect(as(mara).regenerateOwnApiKey({ body: {} })).rejects.toMatchObject({
      status: 429,
      detail: expect.stringContaining('10 of 10 in 24 hours'),
      retryAfterSeconds: expect.any(Number),
    });
    await as(admin).regenerateUserApiKey(idOf(mara));
    await database.pool.query("UPDATE api_keys SET created_at = now() - interval '25 hours'");
    await as(mara).regenerateOwnApiKey({ body: {} });
  });

  it.each(['revoked_at = now()', "expires_at = now() - interval '1 second'"])(
    'regenerateOwnApiKey does not reactivate a key with %s',
    async (state) => {
      await allow(true);
      await as(admin).createUserApiKey(idOf(mara));
      await database.pool.query(`UPDATE api_keys SET ${state}`);
      await expect(as(mara).regenerateOwnApiKey({ body: {} })).rejects.toMatchObject({ status: 404 });
    },
  );
});

describe('overlap of two keys', () => {
  const regenerate = (body?: z.input<typeof regenerateApiKeyBody>) =>
    as(admin).regenerateUserApiKey({ ...idOf(mara), body });
  const readEnds = async () => {
    const { rows } = await database.pool.query(
      'SELECT revoked_at IS NULL AS is_usable, extract(epoch FROM expires_at - now()) / 3600 AS hours FROM api_keys ORDER BY id',
    );
    return rows.map(({ is_usable, hours }) => (is_usable ? hours && Math.round(Number(hours)) : 'revoked'));
  };

  it('regenerateUserApiKey keeps the previous key valid for the chosen hours and reports it', async () => {
    const { api_key } = await as(admin).createUserApiKey(idOf(mara));
    await regenerate({ overlap_seconds: 86_400 });
    expect(await readEnds()).toEqual([24, null]);
    const { former_key, api_key_status } = await as(admin).getUserApiKey(idOf(mara));
    expect(former_key).toMatchObject({ masked_key: `slc_…${api_key.slice(-4)}`, last_used_at: null });
    expect(api_key_status).toMatchObject({ is_active: true });
    await database.pool.query('UPDATE api_keys SET expires_at = now() WHERE superseded_at IS NOT NULL');
    expect(await as(admin).getUserApiKey(idOf(mara))).toMatchObject({ former_key: null });
  });

  it('regenerateUserApiKey never extends the expiry of the previous key', async () => {
    await as(admin).createUserApiKey({ ...idOf(mara), body: { expires_at: inHours(2) } });
    await regenerate({ overlap_seconds: 86_400, expires_at: null });
    expect(await readEnds()).toEqual([2, null]);
  });

  it('regenerateUserApiKey keeps at most two keys valid, regardless of the number of calls', async () => {
    await as(admin).createUserApiKey(idOf(mara));
    for (const hours of [10, 20, 30]) await regenerate({ overlap_seconds: hours * 3_600 });
    expect(await readEnds()).toEqual(['revoked', 'revoked', 30, null]);
    await regenerate();
    expect(await readEnds()).toEqual(['revoked', 'revoked', 'revoked', 'revoked', null]);
  });

  it('the overlap of two keys ends early through endApiKeyOverlap or revokeUserApiKey', async () => {
    await as(admin).createUserApiKey(idOf(mara));
    await expect(as(admin).endApiKeyOverlap(idOf(mara))).rejects.toMatchObject({ status: 404 });
    await regenerate({ overlap_seconds: 86_400 });
    expect(await as(admin).endApiKeyOverlap(idOf(mara))).toMatchObject({
      former_key: null,
      api_key_status: { is_active: true },
    });
    expect(await readEnds()).toEqual(['revoked', null]);
    await regenerate({ overlap_seconds: 86_400 });
    await as(admin).revokeUserApiKey(idOf(mara));
    expect(await readEnds()).toEqual(['revoked', 'revoked', 'revoked']);
  });

  it('regenerateUserApiKey keeps the scopes and lifetime of a restricted key that expires', async () => {
    await as(admin).createUserApiKey({
      ...idOf(mara),
      body: { scopes: ['models'], expires_at: inHours(48) },
    });
    await database.pool.query(
      "UPDATE api_keys SET created_at = now() - interval '40 hours', expires_at = now() + interval '8 hours'",
    );
    await regenerate();
    expect(await readEnds()).toEqual(['revoked', 48]);
    const { api_key_status } = await as(admin).getUserApiKey(idOf(mara));
    expect(api_key_status?.scopes).toEqual(['models']);
  });
});

describe('revokeUserApiKey', () => {
  it('revokeUserApiKey deactivates the key permanently', async () => {
    await as(admin).createUserApiKey(idOf(mara));
    const state = await as(admin).revokeUserApiKey(idOf(mara));
    expect(state).toMatchObject({ has_api_key: true, api_key_status: { is_active: false } });
    await expect(as(admin).revokeUserApiKey(idOf(mara))).rejects.toMatchObject({ status: 404 });
    await expect(as(admin).createUserApiKey(idOf(mara))).resolves.toHaveProperty('api_key');
  });
});

describe('key ownership', () => {
  const acts = (actor: Principal, owner: Principal) => [
    () => as(actor).createUserApiKey(idOf(owner)),
    () => as(actor).regenerateUserApiKey(idOf(owner)),
    () => as(actor).endApiKeyOverlap(idOf(owner)),
    () => as(actor).revokeUserApiKey(idOf(owner)),
  ];

  it('API key routes return 404 for users of another tenant', async () => {
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

  it('API key routes require a super administrator to manage the key of a super administrator', async () => {
    const root = await addPerson(database.pool, admin.tenantId, 'super_admin', 'root@one.test');
    for (const act of acts(admin, root)) await expect(act()).rejects.toMatchObject({ status: 403 });
    const other = { scopes: undefined, overlap_seconds: 3_600 };
    const [create, regenerate, endOverlap, revoke] = acts(root, root);
    await create?.();
    await regenerate?.();
    await as(root).regenerateUserApiKey({ ...idOf(root), body: other });
    await endOverlap?.();
    await expect(revoke?.()).resolves.toMatchObject({ api_key_status: { is_active: false } });
  });
});
