import { apiKeysRoutes } from '@sluice/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
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
let stranger: Principal;

beforeAll(async () => {
  database = await createTestDatabase();
  const console = createTestConsole(database.pool, apiKeysRoutes, createApiKeysHandlers({ keyring }));
  as = (principal) => console({ principal });
  admin = await addPerson(database.pool, await addTenant(database.pool, 'One'), 'admin', 'admin@one.test');
  mara = await addPerson(database.pool, admin.tenantId, 'user', 'mara@one.test');
  stranger = await addPerson(database.pool, await addTenant(database.pool, 'Two'), 'admin', 'admin@two.test');
});
afterAll(() => database.close());
beforeEach(async () => {
  await database.pool.query('DELETE FROM api_keys');
  await setTenant('api_keys_per_user = 5, users_create_keys = false, users_regenerate_keys = false');
});

const setTenant = (assignments: string) =>
  database.pool.query(`UPDATE tenants SET ${assignments} WHERE id = $1`, [admin.tenantId]);
const createFor = (user: Principal, name: string, more = {}) =>
  as(admin).createApiKey({ body: { user_id: user.userId, name, ...more } });
const idOf = ({ key }: { key: { id: number } }) => ({ params: { id: key.id } });

async function addModels(...models: string[]): Promise<void> {
  await database.pool.query(
    `WITH vendor AS (
       INSERT INTO provider_registry (provider_key, display_name, icon) VALUES ('openai', 'OpenAI', 'openai')
       ON CONFLICT (provider_key) DO UPDATE SET icon = 'openai' RETURNING id
     ), instance AS (
       INSERT INTO llm_providers (tenant_id, provider_registry_id, provider_instance_name, enabled_models)
       SELECT $1, id, gen_random_uuid(), $3 FROM vendor RETURNING id
     )
     INSERT INTO user_provider_access (tenant_id, user_id, llm_provider_id, allowed_models)
     SELECT $1, $2, id, $3 FROM instance`,
    [admin.tenantId, mara.userId, models],
  );
}

async function addTask(user: Principal): Promise<number> {
  const { rows } = await database.pool.query<{ id: number }>(
    `WITH task AS (
       INSERT INTO tasks (tenant_id, title, description, category, difficulty_level, estimated_hours)
       VALUES ($1, 'A task', 'A task of the tests', 'coding', 'beginner', 1) RETURNING id
     )
     INSERT INTO task_assignments (tenant_id, task_id, user_id) SELECT $1, id, $2 FROM task RETURNING task_id AS id`,
    [user.tenantId, user.userId],
  );
  return rows[0]!.id;
}

describe('createApiKey', () => {
  it('createApiKey returns the secret once, and the key with its restrictions', async () => {
    await addModels('gpt-a');
    const taskId = await addTask(mara);
    const { api_key, key } = await createFor(mara, 'CI', {
      models: ['gpt-a'],
      dialects: ['gemini', 'openai-chat'],
      allowed_networks: ['203.0.113.7', '2001:DB8::/32'],
      task_id: taskId,
      labels: { project: 'x' },
    });
    expect(key).toMatchObject({
      name: 'CI',
      kind: 'named',
      state: 'active',
      masked_key: `slc_…${api_key.slice(-4)}`,
      user_id: mara.userId,
      models: ['gpt-a'],
      dialects: ['openai-chat', 'gemini'],
      allowed_networks: ['203.0.113.7/32', '2001:db8::/32'],
      task_id: taskId,
      task_title: 'A task',
      labels: { project: 'x' },
      created_by_name: 'admin',
      last_used_at: null,
      last_used_address: null,
      last_used_model: null,
    });
    expect(await as(admin).listApiKeys({ query: { user_id: mara.userId } })).toEqual([key]);
    expect(JSON.stringify(await as(mara).listUserApiKeys())).not.toContain(api_key.slice(4, 20));
  });

  it('a named key does not replace the primary key, and is not revoked with it', async () => {
    const named = await createFor(mara, 'CI');
    const user = { params: { id: mara.userId } };
    await as(admin).createUserApiKey(user);
    expect((await as(admin).getUserApiKey(user)).api_key_status).toMatchObject({ name: "mara's key" });
    await as(admin).revokeUserApiKey(user);
    const [primary, other] = await as(admin).listApiKeys({});
    expect([primary?.state, other?.state]).toEqual(['revoked', 'active']);
    await as(admin).revokeApiKey(idOf(named));
    expect((await as(admin).getUserApiKey(user)).api_key_status).toMatchObject({ id: primary?.id });
  });

  it.each([
    ['a model that the owner may not use', { models: ['secret-model'] }, 'models'],
    ['a task that the owner does not have', { task_id: 2_147_483_647 }, 'task_id'],
  ])('createApiKey rejects %s', async (_, body, field) => {
    await expect(createFor(mara, 'CI', body)).rejects.toMatchObject({
      status: 422,
      detail: [{ loc: ['body', field] }],
    });
  });

  it.each([
    ['an invalid network', { allowed_networks: ['203.0.113.0/33'] }],
    ['an empty list of networks', { allowed_networks: [] }],
    ['an unknown protocol', { dialects: ['smtp'] }],
    ['an expiry in the past', { expires_at: '2020-01-01T00:00:00Z' }],
    ['a label name with spaces', { labels: { 'cost center': '1' } }],
    ['too many labels', { labels: Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`l${n}`, ''])) }],
  ])('createApiKey rejects %s', async (_, body) => {
    await expect(createFor(mara, 'CI', body)).rejects.toThrow(`"${Object.keys(body)[0]}"`);
  });

  it("createApiKey returns the same error for another tenant's user as for a missing one", async () => {
    const missing = { status: 404, detail: 'User not found' };
    await expect(createFor(stranger, 'CI')).rejects.toMatchObject(missing);
    await expect(createFor({ ...mara, userId: 2_147_483_647 }, 'CI')).rejects.toMatchObject(missing);
  });
});

describe('the number of named keys', () => {
  it('createApiKey accepts only as many keys as the tenant allows among 20 concurrent calls', async () => {
    const creates = Array.from({ length: 20 }, (_, index) => createFor(mara, `key ${index}`));
    const outcomes = await Promise.allSettled(creates);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') {
        expect(outcome.reason).toMatchObject({ status: 409, detail: expect.stringContaining('5 of 5') });
      }
    }
    expect(await as(admin).listApiKeys({})).toHaveLength(5);
  });

  it('revoked, expired and superseded keys do not count toward the number of named keys', async () => {
    await setTenant('api_keys_per_user = 1');
    const first = await createFor(mara, 'one');
    await as(admin).revokeApiKey(idOf(first));
    const second = await createFor(mara, 'two');
    await database.pool.query("UPDATE api_keys SET expires_at = now() - interval '1 s' WHERE id = $1", [
      second.key.id,
    ]);
    const third = await createFor(mara, 'three');
    const fourth = await as(admin).rotateApiKey({ ...idOf(third), body: { overlap_seconds: 3_600 } });
    expect(fourth.key.state).toBe('active');
    await expect(createFor(mara, 'five')).rejects.toMatchObject({ status: 409 });
    await expect(as(admin).rotateApiKey({ ...idOf(second), body: {} })).rejects.toMatchObject({
      status: 409,
    });
  });
});

describe('rotateApiKey', () => {
  it('rotateApiKey keeps the restrictions, and the previous key stays valid during the overlap', async () => {
    const limits = { allowed_networks: ['203.0.113.0/24'], dialects: ['gemini'], labels: { a: 'b' } };
    const former = await createFor(mara, 'CI', limits);
    const { api_key, key } = await as(admin).rotateApiKey({
      ...idOf(former),
      body: { overlap_seconds: 7_200 },
    });
    expect(api_key).not.toBe(former.api_key);
    expect(key).toMatchObject({ name: 'CI', kind: 'named', state: 'active', ...limits });
    const [, replaced] = await as(admin).listApiKeys({});
    expect(replaced).toMatchObject({ id: former.key.id, state: 'superseded' });
    const leftMs = Date.parse(replaced?.expires_at ?? '') - Date.now();
    expect(leftMs).toBeGreaterThan(7_100_000);
    expect(leftMs).toBeLessThanOrEqual(7_200_000);
  });

  it('rotateApiKey leaves at most two valid keys per chain', async () => {
    let last = await createFor(mara, 'CI');
    for (let round = 0; round < 3; round++) {
      last = await as(admin).rotateApiKey({ ...idOf(last), body: { overlap_seconds: 3_600 } });
    }
    const states = (await as(admin).listApiKeys({})).map(({ state }) => state);
    expect(states).toEqual(['active', 'superseded', 'revoked', 'revoked']);
  });

  it('rotateApiKey without an overlap revokes the previous key, including for a primary key', async () => {
    await as(admin).createUserApiKey({ params: { id: mara.userId } });
    const [primary] = await as(admin).listApiKeys({});
    await as(admin).updateApiKey({
      params: { id: primary!.id },
      body: { allowed_networks: ['192.0.2.0/24'] },
    });
    const { key } = await as(admin).rotateApiKey({ params: { id: primary!.id } });
    expect(key).toMatchObject({ kind: 'primary', allowed_networks: ['192.0.2.0/24'] });
    const states = (await as(admin).listApiKeys({})).map(({ state }) => state);
    expect(states).toEqual(['active', 'revoked']);
  });

  it('regenerating a primary key keeps its restrictions', async () => {
    const user = { params: { id: mara.userId } };
    await as(admin).createUserApiKey(user);
    const [primary] = await as(admin).listApiKeys({});
    await as(admin).updateApiKey({
      params: { id: primary!.id },
      body: { allowed_networks: ['192.0.2.0/24'] },
    });
    await as(admin).regenerateUserApiKey(user);
    const [next] = await as(admin).listApiKeys({});
    expect(next).toMatchObject({ kind: 'primary', allowed_networks: ['192.0.2.0/24'] });
  });

  it.each(['revoked', 'superseded'] as const)(
    'a %s key can be neither rotated nor changed',
    async (state) => {
      const { key } = await createFor(mara, 'CI');
      const id = { params: { id: key.id } };
      if (state === 'revoked') await as(admin).revokeApiKey(id);
      else await as(admin).rotateApiKey({ ...id, body: { overlap_seconds: 3_600 } });
      await expect(as(admin).rotateApiKey(id)).rejects.toMatchObject({ status: 409 });
      await expect(as(admin).updateApiKey({ ...id, body: { name: 'x' } })).rejects.toMatchObject({
        status: 409,
      });
    },
  );
});

describe('keys of another tenant', () => {
  it.each(['updateApiKey', 'rotateApiKey', 'revokeApiKey'] as const)(
    '%s returns the same error for keys of another tenant as for missing ones',
    async (route) => {
      const { key } = await createFor(mara, 'CI');
      const errors = await Promise.all(
        [key.id, 2_147_483_647].map((id) =>
          as(stranger)
            [route]({ params: { id }, body: {} } as never)
            .then(
              () => 'done',
              (error: Error) => ({ ...error }),
            ),
        ),
      );
      expect(errors[0]).toMatchObject({ status: 404, detail: 'API key not found' });
      expect(errors[1]).toEqual(errors[0]);
    },
  );
});

describe('own keys', () => {
  it('users create, change and rotate keys only if the tenant allows it, and may always revoke them', async () => {
    const admins = await createFor(mara, 'from the administrator');
    await expect(as(mara).createOwnApiKey({ body: { name: 'mine' } })).rejects.toMatchObject({ status: 403 });
    await expect(as(mara).rotateOwnApiKey(idOf(admins))).rejects.toMatchObject({ status: 403 });
    await setTenant('users_create_keys = true, users_regenerate_keys = true');
    const mine = await as(mara).createOwnApiKey({ body: { name: 'mine', allowed_networks: ['192.0.2.1'] } });
    expect(await as(mara).updateOwnApiKey({ ...idOf(mine), body: { allowed_networks: null } })).toMatchObject(
      {
        allowed_networks: null,
      },
    );
    await as(mara).rotateOwnApiKey({ ...idOf(mine), body: { overlap_seconds: 3_600 } });
    await setTenant('users_create_keys = false, users_regenerate_keys = false');
    await expect(as(mara).updateOwnApiKey({ ...idOf(mine), body: { name: 'x' } })).rejects.toMatchObject({
      status: 403,
    });
    expect(await as(mara).revokeOwnApiKey(idOf(admins))).toMatchObject({ state: 'revoked' });
  });

  it('users cannot change the restrictions of a key that an administrator created, even after rotating it', async () => {
    await setTenant('users_create_keys = true, users_regenerate_keys = true');
    const admins = await createFor(mara, 'limited', { allowed_networks: ['192.0.2.1'] });
    const lift = (id: number) =>
      as(mara).updateOwnApiKey({ params: { id }, body: { allowed_networks: null } });
    await expect(lift(admins.key.id)).rejects.toMatchObject({ status: 403 });
    const { key } = await as(mara).rotateOwnApiKey(idOf(admins));
    expect(key.allowed_networks).toEqual(['192.0.2.1/32']);
    await expect(lift(key.id)).rejects.toMatchObject({ status: 403 });
  });

  it('rotateOwnApiKey keeps the expiry, so that a user cannot extend it', async () => {
    await setTenant('users_regenerate_keys = true');
    const expires_at = new Date(Date.now() + 3_600_000).toISOString();
    const { key } = await as(mara).rotateOwnApiKey(idOf(await createFor(mara, 'short', { expires_at })));
    expect(key.expires_at).toBe(expires_at);
  });

  it.each(['updateOwnApiKey', 'rotateOwnApiKey', 'revokeOwnApiKey'] as const)(
    "%s does not find another user's key",
    async (route) => {
      await setTenant('users_create_keys = true, users_regenerate_keys = true');
      const { key } = await createFor(admin, 'theirs');
      const call = as(mara)[route]({ params: { id: key.id }, body: {} } as never);
      await expect(call).rejects.toMatchObject({ status: 404, detail: 'API key not found' });
    },
  );

  it('listUserApiKeys returns whether the tenant lets users create and rotate keys', async () => {
    await setTenant('users_create_keys = true, api_keys_per_user = 7');
    expect(await as(mara).listUserApiKeys()).toEqual({
      api_keys: [],
      named_keys_max: 7,
      may_create: true,
      may_rotate: false,
    });
  });
});
