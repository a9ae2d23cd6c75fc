import { gzipSync } from 'node:zlib';
import { managementError } from '@sluice/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signSessionToken } from '#platform/tokens.ts';
import { addPerson, addTenant } from '#test/console/console.ts';
import {
  type RunningServer,
  startHttpServer,
  startWorker,
  testKeyring,
} from '#test/console/console-server.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { exchange } from '#test/requests/raw-exchange.ts';

let database: TestDatabase;
let worker: RunningServer;
let token: string;

beforeAll(async () => {
  database = await createTestDatabase();
  const tenantId = await addTenant(database.pool, 'One');
  const { userId } = await addPerson(database.pool, tenantId, 'super_admin', 'root@one.test');
  const claims = { userId, sessionId: crypto.randomUUID(), tokenVersion: 1 };
  token = await signSessionToken(testKeyring.sessionKey, claims, Date.now());
  worker = await startWorker({ connectionString: database.connectionString });
});
afterAll(async () => {
  await worker.close();
  await database.close();
});

interface Fault {
  readonly method?: string;
  readonly path: string;
  readonly type?: string;
  readonly coding?: string;
  readonly body?: string | Buffer;
  readonly status: number;
  readonly detail: unknown;
}

const json = 'application/json';
const form = 'application/x-www-form-urlencoded';
const users = { method: 'POST', path: '/admin/users', type: json };
const login = { method: 'POST', path: '/auth/login', type: form };
const newUser = { email: 'new@one.test', name: 'New', password: 'long enough', role_id: 3 };
const provider = {
  provider_registry_id: 1,
  provider_instance_name: 'x',
  enabled_models: ['m'],
};
const field = (...loc: (string | number)[]) => [expect.objectContaining({ loc, msg: expect.any(String) })];

const invalidEncoding = 'The path of the URL is not valid percent-encoded UTF-8. Write "%" as "%25".';

const faults: Record<string, Fault> = {
  'JSON that breaks off': { ...users, body: '{"email":', status: 400, detail: 'The body is not valid JSON.' },
  'JSON that is not UTF-8': {
    ...users,
    body: Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]),
    status: 400,
    detail: 'The body is not valid UTF-8.',
  },
  'a form where JSON is due': { ...users, type: form, body: 'email=x', status: 415, detail: /content type/ },
  'plain text where JSON is due': {
    ...users,
    type: 'text/plain',
    body: '{}',
    status: 415,
    detail: /content type/,
  },
  'a body of no type': { ...users, type: '', body: '{}', status: 415, detail: /content type/ },
  'an invalid media type': { ...users, type: ';;', body: '{}', status: 415, detail: /content type/ },
  'JSON where a form is due': { ...login, type: json, body: '{}', status: 415, detail: /content type/ },
  'no body where one is due': {
    ...users,
    status: 422,
    detail: expect.arrayContaining(field('body', 'email')),
  },
  'a list where an object is due': { ...users, body: '[]', status: 422, detail: field('body') },
  'a key __proto__': {
    ...users,
    body: '{"__proto__":{"role_id":1}}',
    status: 422,
    detail: field('body', '__proto__'),
  },
  'a key __proto__ further down': {
    method: 'POST',
    path: '/llm-providers',
    type: json,
    body: `{"model_aliases":{"__proto__":"m"}}`,
    status: 422,
    detail: field('body', 'model_aliases', '__proto__'),
  },
  'a key that is not listed': {
    ...users,
    body: JSON.stringify({ ...newUser, is_blocked: false }),
    status: 422,
    detail: field('body', 'is_blocked'),
  },
  'JSON a hundred thousand levels deep': {
    ...users,
    body: '['.repeat(100_000) + ']'.repeat(100_000),
    status: 422,
    detail: [{ loc: ['body'], msg: 'The body is nested deeper than 32 levels', type: 'too_much' }],
  },
  'JSON of a hundred thousand values': {
    ...users,
    body: `[${'0,'.repeat(100_000)}0]`,
    status: 422,
    detail: [{ loc: ['body'], msg: 'The body contains more than 50000 values', type: 'too_much' }],
  },
  'a body that is wrong in a thousand places': {
    method: 'POST',
    path: '/llm-providers',
    type: json,
    body: JSON.stringify({ ...provider, enabled_models: Array(1_000).fill(0) }),
    status: 422,
    detail: expect.toSatisfy((problems: unknown[]) => problems.length === 100),
  },
  'an address of half a million dots': {
    ...users,
    body: JSON.stringify({ ...newUser, email: `a@${'.'.repeat(500_000)}@` }),
    status: 422,
    detail: expect.arrayContaining(field('body', 'email')),
  },
  'more than strangers may send': {
    method: 'POST',
    path: `/invitations/public/${'t'.repeat(40)}/accept`,
    type: json,
    body: JSON.stringify({ name: 'x'.repeat(16 * 1024) }),
    status: 413,
    detail: 'The body is too large.',
  },
  'NUL in a body': {
    ...users,
    body: JSON.stringify({ ...newUser, name: 'a\0b' }),
    status: 422,
    detail: field('body', 'name'),
  },
  'NUL in a key of a body': {
    method: 'POST',
    path: '/llm-providers',
    type: json,
    body: JSON.stringify({ ...provider, model_aliases: { 'a\0': 'm' } }),
    status: 422,
    detail: field('body', 'model_aliases', 'a\0'),
  },
  'half a character in a body': {
    method: 'POST',
    path: '/llm-providers',
    type: json,
    body: JSON.stringify({ ...provider, model_aliases: { '\ud800': 'm' } }),
    status: 422,
    detail: [expect.objectContaining({ type: 'unstorable_text' })],
  },
  'NUL in a form': {
    ...login,
    body: 'username=a%00b&password=x',
    status: 422,
    detail: field('body', 'username'),
  },
  'NUL in a query': { path: '/admin/logs?search=a%00b', status: 422, detail: field('query', 'search') },
  'NUL in a path': { path: '/admin/users/%00', status: 422, detail: field('path', 'id') },
  'two values in a form': {
    ...login,
    body: 'username=a&username=b&password=x',
    status: 422,
    detail: field('body', 'username'),
  },
  'a query parameter that is not listed': {
    path: '/admin/users?order=asc',
    status: 422,
    detail: field('query', 'order'),
  },
  'a query parameter where none is listed': {
    path: '/admin/roles?order=asc',
    status: 422,
    detail: field('query', 'order'),
  },
  'two values of a query parameter': {
    path: '/admin/users?limit=1&limit=2',
    status: 422,
    detail: field('query', 'limit'),
  },
  'a negative skip': { path: '/admin/users?skip=-1', status: 422, detail: field('query', 'skip') },
  'a limit of 201': { path: '/admin/users?limit=201', status: 422, detail: field('query', 'limit') },
  'a limit of 201 logs': { path: '/admin/logs?limit=201', status: 422, detail: field('query', 'limit') },
  'a limit that is no number': { path: '/admin/users?limit=x', status: 422, detail: field('query', 'limit') },
  'an id that is a word': { path: '/admin/users/mara', status: 404, detail: 'Not found' },
  'an id that is too large': { path: '/admin/users/2147483648', status: 404, detail: 'Not found' },
  'an id in another notation': { path: '/admin/users/0x1', status: 404, detail: 'Not found' },
  'an id with a sign': { path: '/admin/users/+1', status: 404, detail: 'Not found' },
  'an id in blanks': { path: '/admin/users/%201', status: 404, detail: 'Not found' },
  'an id with an exponent': { path: '/admin/users/1e0', status: 404, detail: 'Not found' },
  'an id with a quote': { path: "/admin/users/1'--", status: 404, detail: 'Not found' },
  'an id of 300 digits': { path: `/admin/users/${'1'.repeat(300)}`, status: 404, detail: 'Not found' },
  'an invalid request id': { path: '/admin/logs/7', status: 404, detail: 'Not found' },
  'a path that cannot be decoded': {
    path: '/admin/users/%zz',
    status: 400,
    detail: invalidEncoding,
  },
  'a path that is not UTF-8': { path: '/admin/users/%ff', status: 400, detail: invalidEncoding },
  'a path that does not exist': { path: '/admin/nothing', status: 404, detail: 'Not found' },
  'a method that the path does not have': {
    method: 'PATCH',
    path: '/admin/users/1',
    type: json,
    body: '{}',
    status: 404,
    detail: 'Not found',
  },
  'a compressed body': {
    ...users,
    coding: 'gzip',
    body: gzipSync(JSON.stringify({ name: 'x'.repeat(10_000_000) })),
    status: 415,
    detail: 'The body is compressed; send it uncompressed.',
  },
  'two megabytes of JSON': {
    ...users,
    body: JSON.stringify({ name: 'x'.repeat(2_000_000) }),
    status: 413,
    detail: 'The body is too large.',
  },
  'five kilobytes of form': {
    ...login,
    body: `username=${'x'.repeat(5_000)}`,
    status: 413,
    detail: 'The body is too large.',
  },
};

const tell = ({ method = 'GET', path, type, coding, body = '' }: Fault) => {
  const head = [
    `${method} /api/v1${path} HTTP/1.1`,
    'Host: sluice',
    `Authorization: Bearer ${token}`,
    ...(type ? [`Content-Type: ${type}`] : []),
    ...(coding ? [`Content-Encoding: ${coding}`] : []),
    ...(method === 'GET' ? [] : [`Content-Length: ${Buffer.byteLength(body)}`]),
    'Connection: close',
  ];
  return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), Buffer.from(body)]);
};

describe('invalid requests', () => {
  it.each(Object.entries(faults))('the error for %s explains what is wrong', async (_name, fault) => {
    const [answer] = await exchange(worker.port, tell(fault));
    expect(answer?.status).toBe(fault.status);
    const { detail } = managementError.strict().parse(JSON.parse(answer?.body ?? ''));
    if (fault.detail instanceof RegExp) expect(detail).toMatch(fault.detail);
    else expect(detail).toEqual(fault.detail);
    expect(answer?.headers['x-request-id']).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/);
  });
});

describe('an unauthenticated client', () => {
  it.each([
    ['broken JSON', '{"email":'],
    ['half a megabyte', `{"name":"${'x'.repeat(500_000)}"}`],
  ])('an unauthenticated client is rejected before its body is read: %s', async (_name, body) => {
    const response = await fetch(`${worker.origin}/api/v1/admin/users`, {
      method: 'POST',
      headers: { 'content-type': json },
      body,
    });
    expect(response.status).toBe(401);
    expect(await response.json()).toEqual({ detail: 'Not authenticated' });
  });
});

it('an internal error is a 500 with only the request id', async () => {
  const server = await startHttpServer();
  const response = await fetch(`${server.origin}/healthz`);
  expect(response.status).toBe(500);
  expect(await response.json()).toEqual({
    detail: 'Internal error. Give your administrator the request id.',
  });
  expect(response.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  await server.close();
});
