import { contract, type RouteRow } from '@sluice/contract';
import { type Sandbox, startSandbox } from '@sluice/sandbox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningServer, startWorker } from '../console/console-server.ts';
import { createTestDatabase, type TestDatabase } from '../database/database.ts';
import { rows, send, workerVariables } from './attempts.ts';
import { addCaller, type Caller, callerKinds, judge } from './callers.ts';
import { makeId, objectKindOf } from './objects.ts';
import { addMember, createWorld, type World } from './world.ts';

type Fields = Readonly<Record<string, unknown>>;

interface Reading {
  readonly at: (id: string) => string;
  readonly listIn?: string;
  /** Matches the object's entry if the path reads a list. */
  readonly find?: (entry: Fields, id: string) => boolean;
}

const partsOf = (id: string) => id.split('/').map(Number);

const readings: Readonly<Record<string, Reading>> = {
  updateUser: { at: (id) => `/admin/users/${id}` },
  updateTeam: { at: (id) => `/admin/teams/${id}` },
  updateTeamMember: {
    at: (id) => `/admin/teams/${partsOf(id)[0]}/members`,
    find: (member, id) => member.user_id === partsOf(id)[2],
  },
  updateBudget: { at: (id) => `/admin/budgets/${id}` },
  setTeamLabels: { at: (id) => `/admin/teams/${id}/labels` },
  setUserLabels: { at: (id) => `/admin/users/${id}/labels` },
  setTaskLabels: { at: (id) => `/admin/tasks/${id}/labels` },
  updateBudgetDefault: {
    at: () => '/admin/budget-defaults',
    find: (one, id) => one.id === Number(id),
  },
  updateTask: { at: (id) => `/admin/tasks/${id}` },
  updateTaskAssignment: {
    at: () => '/admin/task-assignments?limit=200',
    find: (assignment, id) => assignment.id === Number(id),
  },
  updateUserAccess: {
    at: (id) => `/admin/provider-access/users?user_id=${partsOf(id)[0]}`,
    find: (grant, id) => grant.llm_provider_id === partsOf(id)[2],
  },
  updateTeamAccess: {
    at: (id) => `/admin/provider-access/teams?team_id=${partsOf(id)[0]}`,
    find: (grant, id) => grant.llm_provider_id === partsOf(id)[2],
  },
  updateLlmProvider: { at: () => '/llm-providers', find: (provider, id) => provider.id === Number(id) },
  updateProviderRegistryEntry: { at: (id) => `/provider-registry/${id}` },
  updateTenant: { at: (id) => `/tenants/${id}` },
  updateSettings: { at: () => '/admin/settings' },
  updateIdentityProvider: {
    at: () => '/admin/identity-providers',
    find: (provider, id) => provider.id === Number(id),
  },
  updateSignInPolicy: { at: () => '/admin/sign-in-policy' },
  updateApiKey: { at: () => '/admin/api-keys?limit=200', find: (key, id) => key.id === Number(id) },
  updateUserProfile: { at: () => '/user/profile' },
  updatePreferences: { at: () => '/user/preferences' },
  updateServiceAccount: { at: (id) => `/admin/service-accounts/${id}` },
  updateScimToken: {
    at: () => '/admin/scim-tokens',
    listIn: 'scim_tokens',
    find: (token, id) => token.id === Number(id),
  },
};

/** Routes whose body is a command rather than a readable object, and routes of objects that only their owner sees. */
const orders = [
  'changeSubscription',
  'changeTenantSubscription',
  'completeTask',
  'raiseBudget',
  'correctIntent',
  'regenerateOwnApiKey',
  'regenerateUserApiKey',
  'setFallbackOrder',
  'setLowBalanceThreshold',
  'setPrice',
  'updateChat',
  'updateOwnApiKey',
  'startMaintenance',
  'updateTaskProgress',
];

const changing = rows.filter(
  ([, { surface, method, request }]) =>
    surface === 'management' && (method === 'PUT' || method === 'PATCH') && request?.body,
);

const states: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  updateUser: { 'without limits': 'UPDATE users SET daily_quota = NULL, monthly_quota = NULL WHERE id = $1' },
  updateTeam: { 'that is inactive': 'UPDATE teams SET is_active = false WHERE id = $1' },
  updateTaskAssignment: {
    'that has ended': "UPDATE task_assignments SET status = 'cancelled', ended_at = now() WHERE id = $1",
  },
  updateUserAccess: {
    'with disabled models': "UPDATE llm_providers SET enabled_models = '{}' WHERE id = $1",
  },
  updateTeamAccess: {
    'with disabled models': "UPDATE llm_providers SET enabled_models = '{}' WHERE id = $1",
  },
  updateLlmProvider: {
    'with a key at its own endpoint': `UPDATE llm_providers SET api_endpoint = 'http://192.0.2.1:9',
       sealed_api_key = '\\x00', provider_registry_id = (SELECT id FROM provider_registry WHERE provider_key = 'custom') WHERE id = $1`,
    'with unpriced managed models': `UPDATE llm_providers SET is_service_managed = true,
       enabled_models = '{nobody-knows-it}', default_model = 'nobody-knows-it',
       provider_registry_id = (SELECT id FROM provider_registry WHERE provider_key = 'openai') WHERE id = $1`,
  },
};

const senders = ['admin', 'super_admin', 'team admin'];

const cases = changing.flatMap(([rowName, row]) =>
  ['', ...Object.keys(states[rowName] ?? {})].flatMap((state) =>
    callerKinds
      .filter((kind) => senders.includes(kind.name) && judge(kind, row) === 'allowed')
      // Administrators of an inactive team do not see the team.
      .filter((kind) => !(kind.isTeamAdmin && state))
      .map((kind) => ({
        rowName,
        row,
        state,
        kind,
        caller: kind.name,
        what: ['an object', state].join(' ').trimEnd(),
      })),
  ),
);

let database: TestDatabase;
let world: World;
let sandbox: Sandbox;
let worker: RunningServer;
const prepared = new Map<object, { caller: Caller; id: string }>();

beforeAll(async () => {
  database = await createTestDatabase();
  world = await createWorld(database.pool);
  for (const one of cases) {
    const caller = await addCaller(world, one.kind);
    const kind = objectKindOf(one.rowName, one.row);
    const owner = one.kind.isTeamAdmin ? 'own' : 'other user';
    const id = kind ? await makeId(world, kind, { caller, owner, rowName: one.rowName }) : '';
    const sql = states[one.rowName]?.[one.state];
    if (sql) await database.pool.query(sql, [partsOf(id).at(-1)]);
    prepared.set(one, { caller, id });
  }
  sandbox = await startSandbox();
  const { connectionString } = database;
  worker = await startWorker({ connectionString, sandboxOrigin: sandbox.origin, variables: workerVariables });
});
afterAll(async () => {
  await worker.close();
  await sandbox.close();
  await database.close();
});

async function read(rowName: string, { caller, id }: { caller: Caller; id: string }): Promise<Fields> {
  const { at, listIn, find } = readings[rowName]!;
  const headers = { authorization: caller.authorization ?? '' };
  const response = await fetch(`${worker.origin}/api/v1${at(id)}`, { headers });
  expect(response.status).toBe(200);
  const body = await response.json();
  const answer = listIn === undefined ? body : (body as Fields)[listIn];
  if (!find) return answer as Fields; // safe because a route that reads one object returns an object
  const found = (answer as Fields[]).find((entry) => find(entry, id)); // safe because routes with `find` return lists
  expect(found, `${rowName} ${id}`).toBeDefined();
  return found!;
}

const put = (row: RouteRow, place: { caller: Caller; id: string }, body: object) =>
  send(worker.origin, row, { ...place, input: { body } });

it('every PUT and PATCH route with a readable object is tested with the object sent back', () => {
  const named = changing.map(([rowName]) => rowName).filter((rowName) => !orders.includes(rowName));
  expect(named.sort()).toEqual(Object.keys(readings).sort());
});

describe('object sent back as it was read', () => {
  const objects = cases.filter(({ rowName }) => !orders.includes(rowName));

  it.each(objects)('$rowName accepts $what as the $caller read it, and changes nothing', async (one) => {
    const place = prepared.get(one)!;
    const before = await read(one.rowName, place);
    const { status, body, headers } = await put(one.row, place, before);
    expect(status, body).toBe(one.row.status ?? 200);
    expect(await read(one.rowName, place)).toEqual(before);
    const { rows: changes } = await database.pool.query(
      'SELECT object_type, before, after FROM audit_entries WHERE request_id = $1',
      [headers['x-request-id']],
    );
    expect(changes).toEqual([]);
  });

  const admin = callerKinds.find(({ name }) => name === 'admin')!;
  const operator = callerKinds.find(({ name }) => name === 'super_admin')!;
  const rowOf = (wanted: string) => changing.find(([rowName]) => rowName === wanted)![1];

  it('an API access task without limits can be sent back as it was read', async () => {
    const caller = await addCaller(world, admin);
    const { userId } = await addMember(world, world.home, 'admin');
    await database.pool.query('UPDATE users SET name = $2 WHERE id = $1', [userId, 'n'.repeat(200)]);
    const input = { body: { is_dummy_task: true, user_id: userId } };
    const made = await send(worker.origin, contract.tasks.createTask, { caller, id: null, input });
    const id = String(JSON.parse(made.body).id);
    const before = await read('updateTask', { caller, id });
    const { status, body } = await put(rowOf('updateTask'), { caller, id }, before);
    expect(status, body).toBe(200);
    expect(await read('updateTask', { caller, id })).toEqual(before);
  });

  it("the caller's own user can be sent back as it was read", async () => {
    const caller = await addCaller(world, admin);
    const place = { caller, id: String(caller.userId) };
    const before = await read('updateUser', place);
    const { status, body } = await put(rowOf('updateUser'), place, before);
    expect(status, body).toBe(200);
  });

  it('a vendor that is sent back as it was read keeps its stored models and its state', async () => {
    const caller = await addCaller(world, operator);
    const { rows: vendors } = await database.pool.query<{ id: number; supported_models: string[] }>(
      "SELECT id, supported_models, is_active FROM provider_registry WHERE provider_key = 'openai' OR provider_key LIKE '%-%-%' ORDER BY id",
    );
    expect(vendors.length).toBeGreaterThan(1);
    for (const { id } of vendors) {
      const place = { caller, id: String(id) };
      const answer = await put(
        rowOf('updateProviderRegistryEntry'),
        place,
        await read('updateProviderRegistryEntry', place),
      );
      expect(answer.status, answer.body).toBe(200);
    }
    const { rows: after } = await database.pool.query(
      "SELECT id, supported_models, is_active FROM provider_registry WHERE provider_key = 'openai' OR provider_key LIKE '%-%-%' ORDER BY id",
    );
    expect(after).toEqual(vendors);
  });
});
