import { llmProvidersRoutes } from '@sluice/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { syncRegistry } from '#console/provider-registry/sync-registry.ts';
import { createSystemDatabase } from '#db/system.ts';
import type { Principal } from '#domain/principal.ts';
import { createKeyring } from '#platform/keyring.ts';
import { addPerson, addTenant, createTestConsole, noProvider } from '#test/console/console.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { createLlmProvidersHandlers } from './routes.ts';

let database: TestDatabase;
let admin: Principal;
let mara: Principal;
let noah: Principal;
let stranger: Principal;
let id: number;
let as: (principal: Principal) => ReturnType<ReturnType<typeof createTestConsole<typeof llmProvidersRoutes>>>;

beforeAll(async () => {
  database = await createTestDatabase();
  await syncRegistry(createSystemDatabase(database.pool));
  admin = await addPerson(database.pool, await addTenant(database.pool, 'One'), 'admin', 'ada@one.test');
  mara = await addPerson(database.pool, admin.tenantId, 'user', 'mara@one.test');
  noah = await addPerson(database.pool, admin.tenantId, 'user', 'noah@one.test');
  stranger = await addPerson(database.pool, await addTenant(database.pool, 'Two'), 'admin', 's@two.test');
  const handlers = createLlmProvidersHandlers({
    ...noProvider,
    keyring: createKeyring('test'),
    checkEndpointUrl: (text) => ({ ok: true, url: new URL(text) }),
  });
  const console = createTestConsole(database.pool, llmProvidersRoutes, handlers);
  as = (principal) => console({ principal });
});
afterAll(() => database.close());
beforeEach(async () => {
  await database.pool.query('DELETE FROM llm_providers; DELETE FROM teams');
  id = await insert(
    `INSERT INTO llm_providers (tenant_id, provider_registry_id, provider_instance_name, enabled_models)
     SELECT $1, id, 'Main', '{m}' FROM provider_registry WHERE provider_key = 'openai'`,
  );
});

const insert = async (statement: string, ...values: unknown[]): Promise<number> => {
  const { rows } = await database.pool.query(`${statement} RETURNING id`, [admin.tenantId, ...values]);
  return rows[0].id;
};
const grantUser = ({ userId }: Principal) =>
  insert(
    `INSERT INTO user_provider_access (tenant_id, user_id, llm_provider_id, allowed_models) VALUES ($1, $2, $3, '{m}')`,
    userId,
    id,
  );
const grantTeam = async (name: string, ...members: Principal[]) => {
  const teamId = await insert('INSERT INTO teams (tenant_id, name) VALUES ($1, $2)', name);
  for (const { userId } of members)
    await insert(
      'INSERT INTO team_members (tenant_id, team_id, user_id) VALUES ($1, $2, $3)',
      teamId,
      userId,
    );
  await insert(
    `INSERT INTO team_provider_access (tenant_id, team_id, llm_provider_id, allowed_models) VALUES ($1, $2, $3, '{m}')`,
    teamId,
    id,
  );
  return teamId;
};
const readImpact = (principal = admin) => as(principal).getLlmProviderDeletionImpact({ params: { id } });
const remove = (principal = admin) => as(principal).deleteLlmProvider({ params: { id } });
const missing = { status: 404, detail: 'Provider not found' };

describe('getLlmProviderDeletionImpact', () => {
  it('getLlmProviderDeletionImpact is empty without grants', async () => {
    expect(await readImpact()).toEqual({
      provider_name: 'Main',
      message: "No user or team has access to 'Main'.",
      has_impact: false,
      impact: { affected_users: 0, affected_teams: 0, user_list: [], team_list: [] },
    });
  });

  it('getLlmProviderDeletionImpact lists each user with a direct or a team grant once', async () => {
    await grantUser(mara);
    const teamId = await grantTeam('Red', mara, noah);
    expect(await readImpact()).toEqual({
      provider_name: 'Main',
      message: "Deleting 'Main' removes the access of 2 users and 1 team.",
      has_impact: true,
      impact: {
        affected_users: 2,
        affected_teams: 1,
        user_list: [mara, noah].map(({ userId, name, email }) => ({
          user_id: userId,
          user_name: name,
          user_email: email,
        })),
        team_list: [{ team_id: teamId, team_name: 'Red' }],
      },
    });
  });

  it('getLlmProviderDeletionImpact omits users without effective access', async () => {
    const teamId = await grantTeam('Idle', mara);
    await database.pool.query('UPDATE teams SET is_active = false WHERE id = $1', [teamId]);
    expect(await readImpact()).toMatchObject({
      message: "Deleting 'Main' removes the access of 1 team.",
      impact: { affected_users: 0, affected_teams: 1 },
    });
  });

  it('getLlmProviderDeletionImpact omits blocked users', async () => {
    await grantUser(mara);
    await grantUser(noah);
    await database.pool.query('UPDATE users SET is_blocked = true WHERE id = $1', [mara.userId]);
    expect((await readImpact()).impact.user_list).toMatchObject([{ user_id: noah.userId }]);
    await database.pool.query('UPDATE users SET is_blocked = false WHERE id = $1', [mara.userId]);
  });

  it('getLlmProviderDeletionImpact returns 404 for another tenant', async () => {
    await expect(readImpact(stranger)).rejects.toMatchObject(missing);
  });
});

describe('deleteLlmProvider', () => {
  it('deleteLlmProvider deletes the grants, works once, and returns 404 for another tenant', async () => {
    await grantUser(mara);
    await grantTeam('Red', noah);
    await expect(remove(stranger)).rejects.toMatchObject(missing);
    await remove();
    await expect(remove()).rejects.toMatchObject(missing);
    for (const table of ['user_provider_access', 'team_provider_access']) {
      expect((await database.pool.query(`SELECT id FROM ${table}`)).rows).toEqual([]);
    }
  });

  it('deleteLlmProvider requires a super administrator for a service-managed instance', async () => {
    await database.pool.query('UPDATE llm_providers SET is_service_managed = true');
    await expect(remove()).rejects.toMatchObject({ status: 403 });
    await remove({ ...admin, role: 'super_admin' });
    expect(await as(admin).listLlmProviders()).toEqual([]);
  });
});
