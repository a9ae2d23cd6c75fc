import { providerAccessRoutes } from '@sluice/contract';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { syncRegistry } from '#console/provider-registry/sync-registry.ts';
import { createSystemDatabase } from '#db/system.ts';
import type { Principal } from '#domain/principal.ts';
import { addPerson, addTenant, createTestConsole } from '../../../test/console.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/database.ts';
import { createProviderAccessHandlers } from './routes.ts';

let database: TestDatabase;
let admin: Principal;
let mara: Principal;
let stranger: Principal;
let instanceId: number;
let strangeInstanceId: number;

beforeAll(async () => {
  database = await createTestDatabase();
  await syncRegistry(createSystemDatabase(database.pool));
  admin = await addPerson(database.pool, await addTenant(database.pool, 'One'), 'admin', 'admin@one.test');
  mara = await addPerson(database.pool, admin.tenantId, 'user', 'mara@one.test');
  stranger = await addPerson(database.pool, await addTenant(database.pool, 'Two'), 'user', 's@two.test');
  instanceId = await addInstance(admin.tenantId);
  strangeInstanceId = await addInstance(stranger.tenantId);
});
afterAll(() => database.close());
beforeEach(() => database.pool.query('DELETE FROM user_provider_access'));

async function addInstance(tenantId: number): Promise<number> {
  const { rows } = await database.pool.query(
    `INSERT INTO llm_providers (tenant_id, provider_registry_id, provider_instance_name, enabled_models)
     SELECT $1, id, 'Main', '{gpt-5,gpt-5-mini}' FROM provider_registry WHERE provider_key = 'openai' RETURNING id`,
    [tenantId],
  );
  return rows[0].id;
}

const grant = (more: object = {}) =>
  createTestConsole(
    database.pool,
    providerAccessRoutes,
    createProviderAccessHandlers(),
  )({
    principal: admin,
  }).grantUserAccess({
    body: { user_id: mara.userId, llm_provider_id: instanceId, allowed_models: ['gpt-5'], ...more },
  });

it('answers the grant with the names of both sides', async () => {
  expect(await grant({ allowed_models: ['gpt-5', 'gpt-5-mini', 'gpt-5'] })).toEqual({
    user_id: mara.userId,
    user_name: 'mara',
    provider_key: 'openai',
    provider_instance_name: 'Main',
    llm_provider_id: instanceId,
    provider_registry_id: expect.any(Number),
    allowed_models: ['gpt-5', 'gpt-5-mini'],
    created_at: expect.any(String),
  });
});

it('refuses a second grant to the same user, and keeps the first', async () => {
  await grant();
  await expect(grant({ allowed_models: ['gpt-5-mini'] })).rejects.toMatchObject({
    status: 409,
    detail: 'This user already has access to this provider',
  });
  const { rows } = await database.pool.query('SELECT allowed_models, created_by FROM user_provider_access');
  expect(rows).toEqual([{ allowed_models: ['gpt-5'], created_by: admin.userId }]);
});

it('has one winner when many grant at once', async () => {
  const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => grant()));
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
});

it('does not find a user or a provider of another tenant', async () => {
  for (const user_id of [stranger.userId, 999_999]) {
    await expect(grant({ user_id })).rejects.toMatchObject({ status: 404, detail: 'User not found' });
  }
  for (const llm_provider_id of [strangeInstanceId, 999_999]) {
    await expect(grant({ llm_provider_id })).rejects.toMatchObject({
      status: 404,
      detail: 'Provider not found',
    });
  }
});

it('refuses models that the instance does not enable, by name', async () => {
  await expect(grant({ allowed_models: ['gpt-5', 'gpt-4', 'o1'] })).rejects.toMatchObject({
    status: 422,
    detail: [{ loc: ['body', 'allowed_models'], msg: 'Not enabled on this provider: gpt-4, o1' }],
  });
});

it('refuses a grant of no model, and fields that are not in the form', async () => {
  await expect(grant({ allowed_models: [] })).rejects.toThrow(/Please select at least one model/);
  await expect(grant({ tenant_id: stranger.tenantId })).rejects.toThrow(/unrecognized_keys/);
});
