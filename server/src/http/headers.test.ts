import { contract, pathOf, type RouteRow } from '@sluice/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningServer, startHttpServer, startWorker } from '#test/console/console-server.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { exchange } from '#test/requests/raw-exchange.ts';

const rows = Object.values<Record<string, RouteRow>>(contract).flatMap((routes) => Object.entries(routes));
const rowsOf = (surface: RouteRow['surface']) => rows.filter(([, row]) => row.surface === surface);

let database: TestDatabase;
let worker: RunningServer;

beforeAll(async () => {
  database = await createTestDatabase();
  worker = await startWorker({ connectionString: database.connectionString });
});
afterAll(async () => {
  await worker.close();
  await database.close();
});

const ofTheConnection = ['connection', 'content-length', 'date', 'keep-alive'];

async function readHeaders(path: string, init: RequestInit = {}) {
  const { headers } = await fetch(worker.origin + path, init);
  return Object.fromEntries([...headers].filter(([name]) => !ofTheConnection.includes(name)));
}

const ask = (row: RouteRow) => readHeaders(pathOf(row).replace(/\{\w+\}/g, '1'), { method: row.method });

const aRequestId = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-/);
const consoleHeaders = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'content-type': 'application/json; charset=utf-8',
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'x-request-id': aRequestId,
};
const fixedHeaders = {
  'cache-control': 'public, no-cache',
  'content-encoding': expect.stringMatching(/^(br|gzip)$/),
  etag: expect.stringMatching(/^"[\w-]+"$/),
  vary: 'accept-encoding',
};
const gatewayHeaders = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': expect.stringContaining('x-request-id'),
  'cache-control': 'no-store',
  'content-type': 'application/json; charset=utf-8',
  'x-content-type-options': 'nosniff',
  'x-request-id': aRequestId,
};

// The sets are exact, so that an accidental cookie, version banner or CORS header fails the test.
describe('response headers', () => {
  it.each(rowsOf('management'))('console responses have exactly these headers: %s', async (_name, row) => {
    expect(await ask(row)).toEqual({ ...consoleHeaders, ...(row.isFixed && fixedHeaders) });
  });

  it.each(rowsOf('public'))('gateway responses have exactly these headers: %s', async (_name, row) => {
    const more = row.dialect === 'anthropic' ? { 'request-id': aRequestId } : {};
    expect(await ask(row)).toEqual({ ...gatewayHeaders, ...more });
  });

  it.each([
    ['a path that does not exist', '/api/v1/admin/nothing', {}],
    ['a path in disguise', '/%61pi/v1/auth/me', {}],
    ['a path that cannot be decoded', '/api/v1/admin/users/%zz', {}],
    ['a missing file', '/assets/missing.js', {}],
    ['a file outside the folder', '/assets/..%2findex.html', {}],
    ['a body of the wrong type', '/api/v1/auth/login', { method: 'POST', body: '{}' }],
    ['a body that is too large', '/api/v1/auth/login', { method: 'POST', body: 'a'.repeat(5_000) }],
    ['HEAD', '/healthz', { method: 'HEAD' }],
    ['OPTIONS', '/api/v1/auth/me', { method: 'OPTIONS', headers: { origin: 'https://else.test' } }],
  ])('responses to %s have exactly the headers of the console', async (_name, path, init) => {
    expect(await readHeaders(path, init)).toEqual(consoleHeaders);
  });

  it('responses to invalid HTTP have the headers of the console', async () => {
    const [answer] = await exchange(worker.port, 'nonsense\r\n\r\n');
    const { connection, 'content-length': length, ...headers } = answer?.headers ?? {};
    expect(headers).toEqual(consoleHeaders);
    expect(connection).toBe('close');
    expect(length).toBe(String(answer?.body.length));
  });
});

describe('Strict-Transport-Security', () => {
  it.each([
    [true, 'max-age=31536000'],
    [false, null],
  ])('Strict-Transport-Security is sent only over https: %s', async (isHttps, expected) => {
    const server = await startHttpServer({ isHttps });
    for (const path of ['/healthz', '/', '/api/v1/admin/nothing', '/%zz']) {
      const { headers } = await fetch(server.origin + path);
      expect(headers.get('strict-transport-security')).toBe(expected);
    }
    await server.close();
  });

  it('Strict-Transport-Security follows the configured public URL', async () => {
    const { connectionString } = database;
    const variables = { PUBLIC_URL: 'https://gate.example.com' };
    const secure = await startWorker({ connectionString, variables });
    const { headers } = await fetch(`${secure.origin}/healthz`);
    expect(headers.get('strict-transport-security')).toBe('max-age=31536000');
    await secure.close();
  });
});
