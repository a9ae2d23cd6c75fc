import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ApiError, authRoutes, createClient, defineRoutes, rolesRoutes, usersRoutes } from '@sluice/contract';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { createPasswordHasher } from '#platform/password.ts';
import { addPerson, addTenant } from '#test/console/console.ts';
import { type RunningServer, startWorker } from '#test/console/console-server.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';

const credentials = { username: 'admin@one.test', password: 'correct horse' };
const onUnauthorized = vi.fn();

let database: TestDatabase;
let worker: RunningServer;
let token = '';

beforeAll(async () => {
  database = await createTestDatabase();
  const tenantId = await addTenant(database.pool, 'One');
  await addPerson(database.pool, tenantId, 'admin', credentials.username);
  const hash = await createPasswordHasher().hash(credentials.password);
  await database.pool.query('UPDATE users SET password_hash = $1', [hash]);
  worker = await startWorker({ connectionString: database.connectionString });
  token = (await auth().login({ form: credentials })).access_token;
});
afterAll(async () => {
  await worker.close();
  await database.close();
});

const options = () => ({
  baseUrl: worker.origin,
  headers: () => ({ authorization: `Bearer ${token}` }),
  onUnauthorized,
});
const auth = () => createClient(authRoutes, options());
const users = () => createClient(usersRoutes, options());

async function failureOf(call: Promise<unknown>): Promise<ApiError> {
  const error = await call.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (error instanceof ApiError) return error;
  throw new Error('the call did not fail with an ApiError', { cause: error });
}

const newUser = { email: 'mara@one.test', name: 'Mara', password: 'long enough', role_id: 3 };

describe('console client against the server', () => {
  it('the client retries a request whose response was lost with the same idempotency key, and sends a new request with a new key', async () => {
    const keys: unknown[] = [];
    let status = 502;
    const server = createServer((request, response) => {
      keys.push(request.headers['idempotency-key']);
      response.writeHead(status, { 'content-type': 'application/json' }).end('{}');
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const client = createClient(usersRoutes, { baseUrl, headers: () => ({}) });
    const create = (name: string) => client.createUser({ body: { ...newUser, name } }).catch(() => null);
    await create('Mara');
    status = 422;
    await create('Mara');
    await create('Mara');
    await create('Nora');
    server.close();
    const [lost, repeated, anew, other] = keys;
    expect(lost).toMatch(/^[0-9a-f]{32}$/);
    expect(repeated).toBe(lost);
    expect(new Set([lost, anew, other]).size).toBe(3);
  });

  it('the client signs in by form and returns the user', async () => {
    expect(await auth().getCurrentUser()).toMatchObject({
      email: credentials.username,
      role: { name: 'admin' },
      tenant: { name: 'One' },
    });
  });

  it("the client sends a row's input and returns its output", async () => {
    const created = await users().createUser({ body: newUser });
    expect(created).toMatchObject({ email: newUser.email, daily_quota: 1000 });
    const reason = 'off topic & rude: 100 % / ünïcödé ? #1 + more';
    const blocked = await users().blockUser({ params: { id: created.id }, query: { reason } });
    expect(blocked).toMatchObject({ id: created.id, is_blocked: true, blocked_reason: reason });
  });

  it('the client omits absent values from the query', async () => {
    const all = await users().listUsers({ query: { skip: undefined, limit: undefined } });
    const first = await users().listUsers({ query: { limit: 1 } });
    expect(all.length).toBeGreaterThan(1);
    expect(first).toEqual(all.slice(0, 1));
  });

  it('the client returns response headers', async () => {
    let headers = new Headers();
    const onHeaders = (received: Headers) => {
      headers = received;
    };
    const all = await users().listUsers({ query: {} }, { onHeaders });
    expect(headers.get('x-total-count')).toBe(String(all.length));
    expect(headers.get('x-request-id')).toBeTruthy();
  });

  it('the client reports each invalid field', async () => {
    const error = await failureOf(
      users().createUser({ body: { ...newUser, email: 'nobody', password: 'short' } }),
    );
    expect(error.status).toBe(422);
    expect(error.fieldProblems.map(({ loc, msg }) => [loc.join('.'), msg])).toEqual([
      ['body.email', 'Please enter a valid email'],
      ['body.password', 'Password must be at least 6 characters'],
    ]);
    expect(error.message).toBe('Please enter a valid email, Password must be at least 6 characters');
  });

  it('the client reports the message of an error and its request id for the log', async () => {
    const error = await failureOf(users().getUser({ params: { id: 999 } }));
    expect(error).toMatchObject({ status: 404, message: 'User not found', fieldProblems: [] });
    expect(error.requestId).toMatch(/^[0-9a-f-]{36}$/);
    expect(onUnauthorized).not.toHaveBeenCalled();
  });

  it('the client reports an ended session once for each 401', async () => {
    const expired = { ...options(), headers: () => ({ authorization: 'Bearer eyJ.gone.now' }) };
    const error = await failureOf(createClient(rolesRoutes, expired).listRoles());
    expect(error).toMatchObject({ status: 401, message: 'Could not validate credentials' });
    expect(onUnauthorized).toHaveBeenCalledOnce();
  });

  it('the client aborts a call that is no longer needed', async () => {
    const call = users().listUsers({ query: {} }, { signal: AbortSignal.abort() });
    await expect(call).rejects.toMatchObject({ name: 'AbortError' });
  });
});

describe('console client', () => {
  const routes = defineRoutes({
    deleteThing: {
      method: 'DELETE',
      path: '/things/{name}',
      surface: 'management',
      permission: 'users.write',
      summary: 'a row without an answer',
      request: { params: z.object({ name: z.string() }) },
      response: z.undefined(),
      status: 204,
    },
  });
  let server: Server;
  let baseUrl: string;
  const paths: string[] = [];

  beforeAll(async () => {
    server = createServer(({ url = '' }, response) => {
      paths.push(url);
      if (url.endsWith('/broken'))
        response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad</h1>');
      else response.writeHead(204).end();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // safe because the server listens on TCP
  });
  afterAll(() => server.close());

  const client = () => createClient(routes, { baseUrl, headers: () => ({}) });

  it('the client returns nothing for 204', async () => {
    expect(await client().deleteThing({ params: { name: 'x' } })).toBeUndefined();
  });

  it('the client encodes a parameter within its path segment', async () => {
    await client().deleteThing({ params: { name: '../users/7?force=1' } });
    expect(paths.at(-1)).toBe('/api/v1/things/..%2Fusers%2F7%3Fforce%3D1');
  });

  it("the client reports the status of a response without a message, such as a proxy's", async () => {
    const error = await failureOf(client().deleteThing({ params: { name: 'broken' } }));
    expect(error).toMatchObject({ status: 502, message: 'HTTP 502', requestId: null });
  });

  it("the client fails with the platform's own error if there is no response", async () => {
    const nowhere = createClient(routes, {
      baseUrl: 'http://127.0.0.1:1',
      headers: () => ({}),
      onUnauthorized,
    });
    onUnauthorized.mockClear();
    await expect(nowhere.deleteThing({ params: { name: 'x' } })).rejects.toBeInstanceOf(TypeError);
    expect(onUnauthorized).not.toHaveBeenCalled();
  });
});
