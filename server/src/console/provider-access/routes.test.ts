import { providerAccessRoutes } from '@sluice/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
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
let noah: Principal;
let stranger: Principal;
let instanceId: number;
let secondId: number;
let strangeId: number;
let teamId: number;
let strangeTeamId: number;
let as: (
  principal: Principal,
) => ReturnType<ReturnType<typeof createTestConsole<typeof providerAccessRoutes>>>;

beforeAll(async () => {
  database = await createTestDatabase();
  await syncRegistry(createSystemDatabase(database.pool));
  admin = await addPerson(database.pool, await addTenant(database.pool, 'One'), 'admin', 'ada@one.test');
  mara = await addPerson(database.pool, admin.tenantId, 'user', 'mara@one.test');
  noah = await addPerson(database.pool, admin.tenantId, 'user', 'noah@one.test');
  stranger = await addPerson(database.pool, await addTenant(database.pool, 'Two'), 'admin', 's@two.test');
  const console = createTestConsole(
    database.pool,
    providerAccessRoutes,
    createProviderAccessHandlers({
      keyring: createKeyring('test'),
      circuits: createCircuitBreaker({ clock: Date.now }),
    }),
  );
  as = (principal) => console({ principal });
});
afterAll(() => database.close());
beforeEach(async () => {
  await database.pool.query('TRUNCATE llm_providers, blacklist_entries RESTART IDENTITY CASCADE');
  // Use DELETE: teams own service accounts, so TRUNCATE would cascade to users.
  await database.pool.query('DELETE FROM teams');
  instanceId = await addInstance(admin.tenantId, 'Main');
  secondId = await addInstance(admin.tenantId, 'Second', 'mistral');
  strangeId = await addInstance(stranger.tenantId, 'Main');
  teamId = await addTeam(admin.tenantId, 'Red');
  strangeTeamId = await addTeam(stranger.tenantId, 'Red');
});

const insert = async (statement: string, values: unknown[]): Promise<number> => {
  const { rows } = await database.pool.query<{ id: number }>(`${statement} RETURNING id`, values);
  return rows[0]!.id;
};
const addInstance = (tenantId: number, name: string, key = 'openai') =>
  insert(
    `INSERT INTO llm_providers (tenant_id, provider_registry_id, provider_instance_name, enabled_models, default_model)
     SELECT $1, id, $2, '{gpt-5,gpt-5-mini,o1}', 'o1' FROM provider_registry WHERE provider_key = $3`,
    [tenantId, name, key],
  );
const addTeam = (tenantId: number, name: string) =>
  insert('INSERT INTO teams (tenant_id, name) VALUES ($1, $2)', [tenantId, name]);
const join = (team: number, { tenantId, userId }: Principal) =>
  insert('INSERT INTO team_members (tenant_id, team_id, user_id) VALUES ($1, $2, $3)', [
    tenantId,
    team,
    userId,
  ]);

const userForm = (more: object = {}) => ({
  user_id: mara.userId,
  llm_provider_id: instanceId,
  allowed_models: ['gpt-5'],
  ...more,
});
const teamForm = (more: object = {}) => ({
  team_id: teamId,
  llm_provider_id: instanceId,
  allowed_models: ['gpt-5'],
  ...more,
});
const grantUser = (more: object = {}) => as(admin).grantUserAccess({ body: userForm(more) });
const grantTeam = (more: object = {}) => as(admin).grantTeamAccess({ body: teamForm(more) });
const missing = (noun: string) => ({ status: 404, detail: `${noun} not found` });
const notEnabled = (...models: string[]) => ({
  status: 422,
  detail: [
    {
      loc: ['body', 'allowed_models'],
      msg: `These models are not enabled at this provider: ${models.join(', ')}. Enable them first, or choose other models.`,
    },
  ],
});

describe('grants', () => {
  it('grantUserAccess returns the grant with the names of user and instance', async () => {
    const granted = {
      id: expect.any(Number),
      provider_key: 'openai',
      provider_instance_name: 'Main',
      llm_provider_id: instanceId,
      provider_registry_id: expect.any(Number),
      allowed_models: ['gpt-5', 'o1'],
      created_at: expect.stringMatching(/^\d{4}-.*Z$/),
    };
    const allowed_models = ['gpt-5', 'o1', 'gpt-5'];
    expect(await grantUser({ allowed_models })).toEqual({
      user_id: mara.userId,
      user_name: 'mara',
      ...granted,
    });
    expect(await grantTeam({ allowed_models })).toEqual({ team_id: teamId, team_name: 'Red', ...granted });
  });

  it('grantUserAccess rejects a second grant of the same instance and keeps the first', async () => {
    await grantUser();
    await grantTeam();
    const again = { allowed_models: ['o1'] };
    await expect(grantUser(again)).rejects.toMatchObject({
      status: 409,
      detail: 'This user already has access to this provider',
    });
    await expect(grantTeam(again)).rejects.toMatchObject({
      status: 409,
      detail: 'This team already has access to this provider',
    });
    expect(await as(admin).listUserAccess({ query: {} })).toMatchObject([{ allowed_models: ['gpt-5'] }]);
    expect(await as(admin).listTeamAccess({ query: {} })).toMatchObject([{ allowed_models: ['gpt-5'] }]);
  });

  it('grantUserAccess succeeds for one of many concurrent calls', async () => {
    const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => grantUser()));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('grant routes return 404 for a user, a team or a provider of another tenant', async () => {
    for (const user_id of [stranger.userId, 999_999])
      await expect(grantUser({ user_id })).rejects.toMatchObject(missing('User'));
    for (const team_id of [strangeTeamId, 999_999])
      await expect(grantTeam({ team_id })).rejects.toMatchObject(missing('Team'));
    for (const llm_provider_id of [strangeId, 999_999]) {
      await expect(grantUser({ llm_provider_id })).rejects.toMatchObject(missing('Provider'));
      await expect(grantTeam({ llm_provider_id })).rejects.toMatchObject(missing('Provider'));
    }
  });

  it('grantUserAccess rejects models that the instance does not enable, and names them', async () => {
    const allowed_models = ['gpt-5', 'gpt-4', 'o3'];
    await expect(grantUser({ allowed_models })).rejects.toMatchObject(notEnabled('gpt-4', 'o3'));
    await expect(grantTeam({ allowed_models })).rejects.toMatchObject(notEnabled('gpt-4', 'o3'));
  });

  it('grantUserAccess reports missing fields', async () => {
    await expect(grantUser({ user_id: undefined })).rejects.toThrow('Please select a user');
    await expect(grantTeam({ team_id: 0 })).rejects.toThrow('Please select a team');
    await expect(grantUser({ llm_provider_id: null })).rejects.toThrow('Please select a provider');
    for (const allowed_models of [undefined, []]) {
      await expect(grantTeam({ allowed_models })).rejects.toThrow('Please select at least one model');
    }
    await expect(grantUser({ tenant_id: stranger.tenantId })).rejects.toThrow(/unrecognized_keys/);
  });
});

describe('batch grants', () => {
  it('grantUserAccesses reports the result of each grant, and a failure does not affect the others', async () => {
    const accesses = [
      userForm(),
      userForm(),
      userForm({ user_id: stranger.userId }),
      userForm({ user_id: noah.userId, allowed_models: ['gpt-4'] }),
      userForm({ allowed_models: [] }),
      { nonsense: true },
      userForm({ user_id: String(noah.userId) }),
    ];
    expect(await as(admin).grantUserAccesses({ body: { accesses } })).toEqual([
      { index: 0, error: null },
      { index: 1, error: 'This user already has access to this provider' },
      { index: 2, error: 'User not found' },
      {
        index: 3,
        error:
          'These models are not enabled at this provider: gpt-4. Enable them first, or choose other models.',
      },
      { index: 4, error: 'Please select at least one model' },
      { index: 5, error: 'Please select a user' },
      { index: 6, error: null },
    ]);
    expect((await as(admin).listUserAccess({ query: {} })).map(({ user_name }) => user_name)).toEqual([
      'noah',
      'mara',
    ]);
  });

  it('grantTeamAccesses reports the result of each grant', async () => {
    const accesses = [teamForm({ team_id: strangeTeamId }), teamForm()];
    expect(await as(admin).grantTeamAccesses({ body: { accesses } })).toEqual([
      { index: 0, error: 'Team not found' },
      { index: 1, error: null },
    ]);
  });
});

describe('a grant', () => {
  const params = () => ({ userId: mara.userId, providerId: instanceId });
  const teamParams = () => ({ teamId, providerId: instanceId });
  const change = (allowed_models: string[]) =>
    as(admin).updateUserAccess({ params: params(), body: { allowed_models } });

  it('updateUserAccess replaces the models of a grant', async () => {
    await grantUser();
    await grantTeam();
    expect(await change(['o1', 'gpt-5-mini'])).toMatchObject({
      user_name: 'mara',
      allowed_models: ['o1', 'gpt-5-mini'],
    });
    const body = { allowed_models: ['o1'] };
    expect(await as(admin).updateTeamAccess({ params: teamParams(), body })).toMatchObject({
      team_name: 'Red',
      allowed_models: ['o1'],
    });
  });

  it('updateUserAccess keeps the grant if the new models are not enabled or empty', async () => {
    await grantUser();
    await expect(change(['gpt-4'])).rejects.toMatchObject(notEnabled('gpt-4'));
    await expect(change([])).rejects.toThrow('Please select at least one model');
    expect(await as(admin).listUserAccess({ query: {} })).toMatchObject([{ allowed_models: ['gpt-5'] }]);
  });

  it('removeUserAccess works once, and never for another tenant', async () => {
    await grantUser();
    await grantTeam();
    for (const who of [stranger, admin]) {
      const removeBoth = () =>
        Promise.allSettled([
          as(who).removeUserAccess({ params: params() }),
          as(who).removeTeamAccess({ params: teamParams() }),
        ]);
      const outcomes = [...(await removeBoth()), ...(await removeBoth())].map(({ status }) => status);
      const wanted = who === admin ? ['fulfilled', 'fulfilled'] : ['rejected', 'rejected'];
      expect(outcomes).toEqual([...wanted, 'rejected', 'rejected']);
    }
    await expect(change(['o1'])).rejects.toMatchObject(missing('Provider access'));
    await expect(as(admin).removeUserAccess({ params: params() })).rejects.toMatchObject(
      missing('Provider access'),
    );
  });
});

describe('lists of access', () => {
  it("access lists return the tenant's grants, newest first, by page and filter", async () => {
    await grantUser();
    await grantUser({ user_id: noah.userId });
    await grantUser({ llm_provider_id: secondId });
    const list = async (query: object) => {
      const totals: (string | null)[] = [];
      const rows = await as(admin).listUserAccess(
        { query },
        { onHeaders: (headers) => totals.push(headers.get('x-total-count')) },
      );
      return [rows.map((row) => `${row.user_name} ${row.provider_instance_name}`), totals[0]];
    };
    expect(await list({})).toEqual([['mara Second', 'noah Main', 'mara Main'], '3']);
    expect(await list({ skip: 1, limit: 1 })).toEqual([['noah Main'], '3']);
    expect(await list({ user_id: mara.userId, provider_id: instanceId })).toEqual([['mara Main'], '1']);
    expect(await as(stranger).listUserAccess({ query: {} })).toEqual([]);
    await grantTeam();
    expect(await as(admin).listTeamAccess({ query: { team_id: teamId } })).toHaveLength(1);
    expect(await as(stranger).listTeamAccess({ query: {} })).toEqual([]);
  });

  it('listGrantable routes return instances, active users and active teams', async () => {
    await join(teamId, mara);
    const idle = await addTeam(admin.tenantId, 'Idle');
    await database.pool.query('UPDATE teams SET is_active = false WHERE id = $1', [idle]);
    const gone = await addPerson(database.pool, admin.tenantId, 'user', 'gone@one.test');
    await database.pool.query('UPDATE users SET is_active = false WHERE id = $1', [gone.userId]);
    await database.pool.query('UPDATE users SET is_blocked = (id = $1)', [noah.userId]);
    await database.pool.query('UPDATE llm_providers SET is_active = (id <> $1)', [secondId]);
    expect(await as(admin).listGrantableTeams()).toEqual([{ id: teamId, name: 'Red', member_count: 1 }]);
    expect(await as(admin).listGrantableUsers()).toEqual(
      [admin, mara, noah].map(({ userId, name, email }) => ({
        id: userId,
        name,
        email,
        is_blocked: name === 'noah',
      })),
    );
    expect(await as(admin).listGrantableProviders()).toEqual([
      {
        id: instanceId,
        provider_registry_id: expect.any(Number),
        provider_key: 'openai',
        provider_name: 'OpenAI',
        provider_instance_name: 'Main',
        enabled_models: ['gpt-5', 'gpt-5-mini', 'o1'],
        default_model: 'o1',
        is_active: true,
      },
      expect.objectContaining({ provider_instance_name: 'Second', is_active: false }),
    ]);
  });

  it('listUserProviders returns the models that a user may use, and through which grant', async () => {
    await join(teamId, mara);
    await grantUser({ allowed_models: ['gpt-5', 'o1'] });
    await grantTeam({ allowed_models: ['gpt-5', 'gpt-5-mini'] });
    await grantTeam({ llm_provider_id: secondId });
    const read = (userId = mara.userId) => as(admin).listUserProviders({ params: { userId } });
    const main = { provider_instance_name: 'Main', provider_key: 'openai', llm_provider_id: instanceId };
    const ofTeam = { access_source: 'team', team_name: 'Red' };
    const direct = { ...main, access_source: 'direct', team_name: null };
    expect(await read()).toEqual({
      total_providers: 2,
      total_models: 4,
      is_granted_by_role: false,
      providers: [
        { ...direct, allowed_models: ['gpt-5', 'o1'] },
        { ...main, ...ofTeam, allowed_models: ['gpt-5', 'gpt-5-mini'] },
        expect.objectContaining({ provider_instance_name: 'Second', ...ofTeam }),
      ],
    });
    expect(await read(noah.userId)).toMatchObject({ total_providers: 0, total_models: 0, providers: [] });
    await expect(read(stranger.userId)).rejects.toMatchObject(missing('User'));

    await database.pool.query("UPDATE llm_providers SET enabled_models = '{gpt-5,o1}' WHERE id = $1", [
      instanceId,
    ]);
    await database.pool.query('UPDATE team_members SET is_active = false');
    await insert(
      "INSERT INTO blacklist_entries (tenant_id, provider_key, model_pattern, reason) VALUES ($1, 'OPENAI', 'O*', 'x')",
      [admin.tenantId],
    );
    expect(await read()).toEqual({
      total_providers: 1,
      total_models: 1,
      is_granted_by_role: false,
      providers: [{ ...direct, allowed_models: ['gpt-5'] }],
    });
  });
});

it('listUserProviders returns everything enabled for an administrator, who needs no grant', async () => {
  await grantUser({ user_id: admin.userId, allowed_models: ['o1'] });
  await join(teamId, admin);
  await grantTeam({ allowed_models: ['gpt-5'] });
  const enabled = { provider_instance_name: 'Main', llm_provider_id: instanceId, team_name: null };
  const read = () => as(admin).listUserProviders({ params: { userId: admin.userId } });
  expect(await read()).toMatchObject({
    total_providers: 2,
    is_granted_by_role: true,
    providers: [
      { ...enabled, access_source: 'direct', allowed_models: ['gpt-5', 'gpt-5-mini', 'o1'] },
      { provider_instance_name: 'Second', access_source: 'direct' },
    ],
  });
  await insert(
    "INSERT INTO blacklist_entries (tenant_id, provider_key, model_pattern, reason) VALUES ($1, 'openai', 'gpt*', 'x')",
    [admin.tenantId],
  );
  await database.pool.query('UPDATE llm_providers SET is_active = false WHERE id = $1', [secondId]);
  expect(await read()).toMatchObject({ total_models: 1, providers: [{ allowed_models: ['o1'] }] });
});

it('getAccessSummary counts the users and teams that have access', async () => {
  await database.pool.query('UPDATE users SET is_blocked = false');
  await join(teamId, mara);
  await join(teamId, noah);
  await grantUser();
  await grantUser({ llm_provider_id: secondId });
  await grantTeam();
  expect(await as(admin).getAccessSummary()).toEqual({
    total_user_accesses: 2,
    total_team_accesses: 1,
    total_unique_users_with_access: 2,
    total_unique_teams_with_access: 1,
    provider_usage_stats: [
      {
        provider_key: 'openai',
        provider_instance_name: 'Main',
        user_access_count: 1,
        team_access_count: 1,
        total_access_count: 2,
      },
      {
        provider_key: 'mistral',
        provider_instance_name: 'Second',
        user_access_count: 1,
        team_access_count: 0,
        total_access_count: 1,
      },
    ],
  });
  expect(await as(stranger).getAccessSummary()).toMatchObject({
    total_user_accesses: 0,
    provider_usage_stats: [],
  });
  await database.pool.query('UPDATE users SET is_blocked = true WHERE id = $1', [noah.userId]);
  expect(await as(admin).getAccessSummary()).toMatchObject({
    total_user_accesses: 2,
    total_unique_users_with_access: 1,
  });
  await database.pool.query('UPDATE users SET is_blocked = false WHERE id = $1', [noah.userId]);
});

describe('listPermittedUsers', () => {
  const listed = async (model: string) => {
    const { total, refusal, users } = await as(admin).listPermittedUsers({ query: { model } });
    expect(total).toBe(users.length);
    return { refusal, users: users.map((one) => [one.user_name, one.access_source, one.team_name]) };
  };

  it("listPermittedUsers returns users with the source of their access by the gateway's own rules", async () => {
    await database.pool.query('UPDATE users SET is_blocked = false');
    await grantUser({ allowed_models: ['gpt-5'] });
    await grantTeam({ allowed_models: ['gpt-5', 'o1'] });
    await join(teamId, noah);
    expect((await listed('gpt-5')).users).toEqual([
      ['ada', 'role', null],
      ['mara', 'direct', null],
      ['noah', 'team', 'Red'],
    ]);
    expect((await listed('Main/o1')).users).toEqual([
      ['ada', 'role', null],
      ['noah', 'team', 'Red'],
    ]);
    await database.pool.query("UPDATE users SET is_blocked = true WHERE name = 'noah'");
    expect((await listed('o1')).users).toEqual([['ada', 'role', null]]);
    await database.pool.query("UPDATE users SET is_blocked = false WHERE name = 'noah'");
  });

  it('listPermittedUsers is empty for an unknown or blacklisted model and gives the reason', async () => {
    expect(await listed('gpt-9')).toEqual({
      refusal: expect.stringContaining("'gpt-9' does not exist"),
      users: [],
    });
    await insert(
      "INSERT INTO blacklist_entries (tenant_id, provider_key, model_pattern, reason) VALUES ($1, 'openai', 'gpt-5', 'Data privacy')",
      [admin.tenantId],
    );
    await database.pool.query('DELETE FROM llm_providers WHERE id = $1', [secondId]);
    expect(await listed('gpt-5')).toEqual({ refusal: expect.stringContaining('Data privacy'), users: [] });
  });

  it("listPermittedUsers returns only users of the caller's tenant", async () => {
    const { users } = await as(stranger).listPermittedUsers({ query: { model: 'gpt-5' } });
    expect(users.map(({ user_name }) => user_name)).toEqual(['s']);
  });
});
