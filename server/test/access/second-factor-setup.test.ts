import { type RouteRow, secondFactorChallenge } from '@sluice/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningServer, startWorker } from '../console/console-server.ts';
import { createTestDatabase, type TestDatabase } from '../database/database.ts';
import { rows, send, workerVariables } from './attempts.ts';
import { addApiKey, addCaller, type Caller, callerKinds } from './callers.ts';
import { addOwnTotp } from './own-factors.ts';
import { createWorld, password, type World } from './world.ts';

const roles = ['user', 'admin', 'super_admin'] as const;
const setup = [
  'addPasskey',
  'confirmPassword',
  'confirmTotp',
  'getCurrentUser',
  'getSecondFactor',
  'logout',
  'removePasskey',
  'removeTotp',
  'renewRecoveryCodes',
  'startPasskey',
  'startTotp',
];
const signedInRows = rows.filter(([, { permission }]) => permission !== 'anyone');
const scimRows = signedInRows.filter(([, { surface }]) => surface === 'scim');
const sessionRows = signedInRows.filter(([, { surface }]) => surface !== 'scim');

let database: TestDatabase;
let world: World;
let worker: RunningServer;
/** One caller per role that requires a second factor. None has set one up. */
const callers = new Map<string, Caller>();

beforeAll(async () => {
  database = await createTestDatabase();
  world = await createWorld(database.pool);
  for (const role of roles)
    callers.set(role, await addCaller(world, callerKinds.find(({ name }) => name === role)!));
  await database.pool.query("UPDATE tenants SET second_factor_roles = '{admin,user}' WHERE id = $1", [
    world.home.id,
  ]);
  await database.pool.query('UPDATE platform_settings SET requires_super_admin_second_factor = true');
  worker = await startWorker({ connectionString: database.connectionString, variables: workerVariables });
});
afterAll(async () => {
  await worker.close();
  await database.close();
});

function sendBare(row: RouteRow, caller: Caller) {
  const id = /\{.*\}/.exec(row.path)?.[0].replaceAll(/\{\w+\}/g, '1') ?? '';
  return send(worker.origin, row, { id, caller, input: {} });
}

describe('a session whose required second factor is not set up', () => {
  it('the contract declares exactly the setup routes as available without the required second factor', () => {
    const serving = rows.filter(([, { servesSetup }]) => servesSetup).map(([name]) => name);
    expect(serving.toSorted()).toEqual(setup);
  });

  it.each(roles)(
    'a session of the role %s without the required second factor can use exactly the setup routes, in console and gateway',
    async (role) => {
      const served: string[] = [];
      for (const [name, row] of sessionRows) {
        const { status, body } = await sendBare(row, callers.get(role)!);
        const isRefused = status === 403 && /second factor/.test(body);
        if (!isRefused) served.push(name);
      }
      expect(served.toSorted()).toEqual(setup);
    },
  );

  it.each(roles)('SCIM routes reject a session of the role %s', async (role) => {
    expect(scimRows.length).toBeGreaterThan(10);
    for (const [name, row] of scimRows)
      expect((await sendBare(row, callers.get(role)!)).status, name).toBe(401);
  });

  it('the rejection of a session without the required second factor has the code second_factor_setup_required', async () => {
    const [, row] = rows.find(([name]) => name === 'listSessions')!;
    const { body } = await sendBare(row, callers.get('user')!);
    expect(JSON.parse(body)).toMatchObject({ code: 'second_factor_setup_required' });
  });

  it('a header that names another tenant does not lift the restriction of a session without the required second factor', async () => {
    const response = await fetch(`${worker.origin}/api/v1/admin/users`, {
      headers: {
        authorization: callers.get('super_admin')!.authorization!,
        'x-sluice-tenant': String(world.foreign.id),
      },
    });
    expect(response.status).toBe(403);
  });

  it('API keys of a user without the required second factor keep working', async () => {
    const { tenant, userId } = callers.get('user')!;
    const apiKey = await addApiKey(world, tenant, userId!, ['models']);
    const listModels = async () =>
      (await fetch(`${worker.origin}/api/v1/models`, { headers: { authorization: `Bearer ${apiKey}` } }))
        .status;
    await expect.poll(listModels).toBe(200);
  });

  it('a session can list users once the second factor is set up, and in a tenant that requires none without it', async () => {
    const caller = callers.get('admin')!;
    await addOwnTotp(world, caller);
    await database.pool.query('UPDATE users SET has_second_factor = true WHERE id = $1', [caller.userId]);
    const [, row] = rows.find(([name]) => name === 'listUsers')!;
    await expect.poll(async () => (await sendBare(row, caller)).status).toBe(200);
    const foreign = await addCaller(world, callerKinds.find(({ isForeign }) => isForeign)!);
    await expect.poll(async () => (await sendBare(row, foreign)).status).toBe(200);
  });
});

describe('a ticket of a sign-in', () => {
  it('a ticket of a sign-in is not accepted as a credential by any route', async () => {
    const user = callers.get('user')!;
    await addOwnTotp(world, user);
    await database.pool.query('UPDATE users SET has_second_factor = true WHERE id = $1', [user.userId]);
    const login = await fetch(`${worker.origin}/api/v1/auth/login`, {
      method: 'POST',
      body: new URLSearchParams({ username: String(user.email), password }),
    });
    expect(login.status).toBe(401);
    const { ticket } = secondFactorChallenge.parse(await login.json());
    const caller = { ...user, authorization: `Bearer ${ticket}` };
    for (const [name, row] of signedInRows) {
      expect((await sendBare(row, caller)).status, name).toBe(401);
    }
  });
});
