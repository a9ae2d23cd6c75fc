import { providerAccessRoutes } from '@sluice/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { syncRegistry } from '#console/provider-registry/sync-registry.ts';
import { createSystemDatabase } from '#db/system.ts';
import type { Principal } from '#domain/principal.ts';
import { createKeyring } from '#platform/keyring.ts';
import { addPerson, addTenant, createTestConsole } from '#test/console/console.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { createCircuitBreaker } from '#upstream/circuit-breaker.ts';
import { createProviderAccessHandlers } from './routes.ts';

let database: TestDatabase;
let admin: Principal;
let mara: Principal;
let stranger: Principal;
let as: (
  principal: Principal,
) => ReturnType<ReturnType<typeof createTestConsole<typeof providerAccessRoutes>>>;

beforeAll(async () => {
  database = await createTestDatabase();
  const { pool } = database;
  await syncRegistry(createSystemDatabase(pool));
  const tenantId = await addTenant(pool, 'One');
  admin = await addPerson(pool, tenantId, 'admin', 'ada@one.test');
  mara = await addPerson(pool, tenantId, 'user', 'mara@one.test');
  stranger = await addPerson(pool, await addTenant(pool, 'Two'), 'admin', 's@two.test');
  const circuits = createCircuitBreaker({ clock: () => 0 });
  const handlers = createProviderAccessHandlers({ keyring: createKeyring('test'), circuits });
  const console = createTestConsole(pool, providerAccessRoutes, handlers);
  as = (principal) => console({ principal });

  const addInstance = async (name: string, models: string[], { aliases = {}, isActive = true } = {}) =>
    (
      await pool.query<{ id: number }>(
        `INSERT INTO llm_providers (tenant_id, provider_registry_id, provider_instance_name, enabled_models, model_aliases, is_active)
         SELECT $1, id, $2, $3, $4, $5 FROM provider_registry WHERE provider_key = 'openai' RETURNING id`,
        [tenantId, name, models, aliases, isActive],
      )
    ).rows[0]!.id;
  const own = await addInstance('Own', ['gpt-5', 'gpt-5-mini', 'o3'], { aliases: { fast: 'gpt-5-mini' } });
  const ofTeam = await addInstance('Team', ['gpt-4.1']);
  const off = await addInstance('Off', ['gpt-4o'], { isActive: false });
  const teamId = (
    await pool.query('INSERT INTO teams (tenant_id, name) VALUES ($1, $2) RETURNING id', [tenantId, 'Red'])
  ).rows[0].id;
  await pool.query('INSERT INTO team_members (tenant_id, team_id, user_id) VALUES ($1, $2, $3)', [
    tenantId,
    teamId,
    mara.userId,
  ]);
  const grant = (instance: number, models: string[]) =>
    pool.query(
      'INSERT INTO user_provider_access (tenant_id, user_id, llm_provider_id, allowed_models) VALUES ($1, $2, $3, $4)',
      [tenantId, mara.userId, instance, models],
    );
  await grant(own, ['gpt-5-mini', 'o3', 'gone']);
  await grant(off, ['gpt-4o']);
  await pool.query(
    'INSERT INTO team_provider_access (tenant_id, team_id, llm_provider_id, allowed_models) VALUES ($1, $2, $3, $4)',
    [tenantId, teamId, ofTeam, ['gpt-4.1']],
  );
  await pool.query(
    `INSERT INTO blacklist_entries (tenant_id, provider_key, model_pattern, reason, blocked_by) VALUES ($1, 'openai', 'o3*', 'no', $2)`,
    [tenantId, admin.userId],
  );
});
afterAll(() => database.close());

const namesOf = async (person: Principal) =>
  (await as(admin).listPermittedModels({ params: { userId: person.userId } })).models;

it('listPermittedModels returns granted, enabled, unblocked models with the deciding grant', async () => {
  expect(await namesOf(mara)).toEqual([
    {
      model: 'fast',
      provider_key: 'openai',
      provider_instance_name: 'Own',
      access_source: 'direct',
      team_name: null,
    },
    {
      model: 'gpt-4.1',
      provider_key: 'openai',
      provider_instance_name: 'Team',
      access_source: 'team',
      team_name: 'Red',
    },
    {
      model: 'gpt-5-mini',
      provider_key: 'openai',
      provider_instance_name: 'Own',
      access_source: 'direct',
      team_name: null,
    },
  ]);
  const ofAdmin = await namesOf(admin);
  expect(ofAdmin.map(({ model }) => model)).toEqual(['fast', 'gpt-4.1', 'gpt-5', 'gpt-5-mini']);
  expect(new Set(ofAdmin.map(({ access_source }) => access_source))).toEqual(new Set(['role']));
});

it('listPermittedModels and listPermittedUsers agree with explainAccess on each model for an administrator and a user', async () => {
  for (const person of [admin, mara]) {
    const permitted = new Set((await namesOf(person)).map(({ model }) => model));
    for (const model of ['fast', 'gone', 'gpt-4.1', 'gpt-4o', 'gpt-5', 'gpt-5-mini', 'o3']) {
      const { rules } = await as(admin).explainAccess({ query: { user_id: person.userId, model } });
      const isRefused = rules.some(
        ({ name, outcome }) => ['model', 'blacklist', 'grant'].includes(name) && outcome === 'refuses',
      );
      const isTold = rules.find(({ name }) => name === 'grant')?.outcome !== 'not_asked';
      if (isTold || isRefused) expect([model, permitted.has(model)]).toEqual([model, !isRefused]);
      const { users } = await as(admin).listPermittedUsers({ query: { model } });
      expect([model, users.some(({ user_id }) => user_id === person.userId)]).toEqual([
        model,
        permitted.has(model),
      ]);
    }
  }
});

it("listPermittedModels returns 404 to another tenant's administrator", async () => {
  await expect(as(stranger).listPermittedModels({ params: { userId: mara.userId } })).rejects.toMatchObject({
    status: 404,
  });
});
