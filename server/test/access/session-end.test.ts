import { setTimeout } from 'node:timers/promises';
import {
  apiKeysRoutes,
  authRoutes,
  type Client,
  createClient,
  signInsRoutes,
  usersRoutes,
} from '@sluice/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningServer, startWorker } from '../console/console-server.ts';
import { createTestDatabase, type TestDatabase } from '../database/database.ts';
import { addCaller, callerKinds } from './callers.ts';
import { createWorld } from './world.ts';

const withinMs = 1_000;

interface Person {
  readonly id: number;
  readonly email: string;
  readonly token: string;
  readonly apiKey: string;
}

let database: TestDatabase;
let acting: RunningServer;
let nodes: { name: string; server: RunningServer }[];
let users: Client<typeof usersRoutes>;
let apiKeys: Client<typeof apiKeysRoutes>;
let auth: Client<typeof authRoutes>;
let bystander: Person;
const people: Person[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  const world = await createWorld(database.pool);
  const admin = await addCaller(world, callerKinds.find(({ name }) => name === 'admin')!);
  const { connectionString } = database;
  const directConnectionString = 'postgresql://nobody@127.0.0.1:1/none';
  acting = await startWorker({ connectionString });
  nodes = [
    { name: 'the notified node', server: await startWorker({ connectionString }) },
    {
      name: 'the node whose notifications are cut',
      server: await startWorker({ connectionString, directConnectionString }),
    },
  ];
  const options = { baseUrl: acting.origin, headers: () => ({ authorization: admin.authorization! }) };
  users = createClient(usersRoutes, options);
  apiKeys = createClient(apiKeysRoutes, options);
  auth = createClient(authRoutes, options);
  const numbers = Array.from({ length: 17 }, (_, index) => index);
  people.push(...(await Promise.all(numbers.map(signUp))));
  bystander = people.pop()!;
});
afterAll(async () => {
  await Promise.all([acting, ...nodes.map(({ server }) => server)].map((server) => server.close()));
  await database.close();
});

async function signUp(number: number): Promise<Person> {
  const email = `mara-${number}@home.test`;
  const password = 'the first password';
  const { id } = await users.createUser({ body: { email, name: 'Mara', password, role_id: 3 } });
  const { api_key: apiKey } = await apiKeys.createUserApiKey({ params: { id } });
  const token = await logIn(email, password);
  for (const { server } of nodes) {
    await waitFor(() => statusOf(server, '/auth/me', token), 200);
    await waitFor(() => statusOf(server, '/models', apiKey), 200);
  }
  return { id, email, token, apiKey };
}

async function logIn(username: string, password: string): Promise<string> {
  return (await auth.login({ form: { username, password } })).access_token;
}

async function statusOf(server: RunningServer, path: string, secret: string): Promise<number> {
  const headers = { authorization: `Bearer ${secret}` };
  const response = await fetch(`${server.origin}/api/v1${path}`, { headers });
  await response.arrayBuffer();
  return response.status;
}

/** Returns the milliseconds until `read` returned `status`. */
async function waitFor(read: () => Promise<number>, status: number): Promise<number> {
  const startedMs = performance.now();
  while ((await read()) !== status) await setTimeout(20);
  return performance.now() - startedMs;
}

type End = (person: Person) => Promise<unknown>;

const block: End = ({ id }) => users.blockUser({ params: { id }, query: { reason: 'a test' } });
const deactivate: End = ({ id }) => users.updateUser({ params: { id }, body: { is_active: false } });
const changeRole: End = ({ id }) => users.updateUser({ params: { id }, body: { role_id: 2 } });
const changePassword: End = ({ id }) =>
  users.changeUserPassword({ params: { id }, body: { password: 'the second password' } });
const endSession: End = ({ id }) =>
  database.pool.query('UPDATE sessions SET ended_at = now() WHERE user_id = $1', [id]);
const callsOf = (token: string) =>
  createClient(authRoutes, {
    baseUrl: acting.origin,
    headers: () => ({ authorization: `Bearer ${token}` }),
  });
const logOut: End = ({ token }) =>
  createClient(signInsRoutes, {
    baseUrl: acting.origin,
    headers: () => ({ authorization: `Bearer ${token}` }),
  }).logout();
const endFromElsewhere: End = async ({ email }) => {
  const elsewhere = callsOf(await logIn(email, 'the first password'));
  const others = (await elsewhere.listSessions()).filter(({ is_current }) => !is_current);
  expect(others).toHaveLength(1);
  for (const { id } of others) await elsewhere.endSession({ params: { id } });
};
const endAllOthers: End = async ({ email }) =>
  callsOf(await logIn(email, 'the first password')).endOtherSessions();
const changeOwnPassword: End = ({ token }) =>
  callsOf(token).changeOwnPassword({
    body: { current_password: 'the first password', new_password: 'the second password' },
  });
const revokeKey: End = ({ id }) => apiKeys.revokeUserApiKey({ params: { id } });
const renewKey: End = ({ id }) => apiKeys.regenerateUserApiKey({ params: { id } });

async function expectEnd(secret: string, paths: string[], status: number): Promise<void> {
  const waits = nodes.flatMap(({ name, server }) =>
    paths.map(async (path) => {
      const waitMs = await waitFor(() => statusOf(server, path, secret), status);
      expect(waitMs, `${path} of ${name}`).toBeLessThan(withinMs);
    }),
  );
  await Promise.all(waits);
}

describe('end of a session on all nodes, in console and gateway, within one second', () => {
  it.each([
    ['a block', block],
    ['another role', changeRole],
    ['another password', changePassword],
    ['deactivation', deactivate],
    ['its own end', endSession],
    ['signing out', logOut],
    ['its end from another session', endFromElsewhere],
    ['the end of all others', endAllOthers],
    ["its owner's own change of the password", changeOwnPassword],
  ])('a session is rejected on all nodes within one second of: %s', async (_name, end) => {
    const person = people.pop()!;
    await end(person);
    await expectEnd(person.token, ['/auth/me', '/models'], 401);
    for (const { server } of nodes) {
      expect(await statusOf(server, '/auth/me', bystander.token)).toBe(200);
    }
  });
});

describe('rejection of invalidated API keys on all nodes within one second', () => {
  it.each([
    ['its revocation', revokeKey, 401],
    ['its renewal', renewKey, 401],
    ["its owner's deactivation", deactivate, 403],
    ["its owner's block", block, 403],
  ])('an API key is rejected on all nodes within one second of: %s', async (_name, end, status) => {
    const person = people.pop()!;
    await end(person);
    await expectEnd(person.apiKey, ['/models'], status);
  });
});

describe('after the end of a session', () => {
  it('a blocked user can sign in again and read their account, but not list models', async () => {
    const person = people.pop()!;
    await block(person);
    const token = await logIn(person.email, 'the first password');
    for (const { server } of nodes) {
      await waitFor(() => statusOf(server, '/auth/me', token), 200);
      expect(await statusOf(server, '/models', token)).toBe(403);
    }
  });

  it('the token returned by changeOwnPassword is valid on all nodes', async () => {
    const person = people.pop()!;
    const { access_token } = await callsOf(person.token).changeOwnPassword({
      body: { current_password: 'the first password', new_password: 'the second password' },
    });
    expect(await statusOf(acting, '/auth/me', access_token)).toBe(200);
    for (const { server } of nodes) expect(await statusOf(server, '/auth/me', access_token)).toBe(200);
  });

  it('a new password opens a valid session', async () => {
    const person = people.pop()!;
    await changePassword(person);
    const token = await logIn(person.email, 'the second password');
    for (const { server } of nodes) await waitFor(() => statusOf(server, '/auth/me', token), 200);
  });
});
