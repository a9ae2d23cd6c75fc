import { once } from 'node:events';
import { request } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { contract, pathOf, type RouteRow } from '@sluice/contract';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { type RunningServer, startWorker } from '#test/console/console-server.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { chooseCoding } from './fixed-answer.ts';

it.each<[string | undefined, string]>([
  [undefined, 'identity'],
  ['', 'identity'],
  ['gzip', 'gzip'],
  ['br', 'br'],
  ['gzip, deflate, br, zstd', 'br'],
  ['br;q=0.5, gzip;q=0.8', 'gzip'],
  ['br;q=0, gzip', 'gzip'],
  ['br;q=0, gzip;q=0', 'identity'],
  ['*', 'br'],
  ['*;q=0', 'identity'],
  ['br;q=0, *', 'gzip'],
  ['identity, gzip;q=0.5', 'identity'],
  ['GZIP; Q=1.0', 'gzip'],
  ['deflate', 'identity'],
  ['br;q=nonsense', 'br'],
])('chooseCoding(%j) is %s', (header, coding) => {
  expect(chooseCoding(header)).toBe(coding);
});

/** Larger responses take noticeable time if they are serialized per request. */
const madeBytesMax = 16 * 1024;

const anonymous = Object.values<Record<string, RouteRow>>(contract)
  .flatMap((routes) => Object.values(routes))
  .filter((row) => row.permission === 'anyone' && row.method === 'GET')
  .map((row) => ({ row, path: pathOf(row).replace(/\{\w+\}/g, '1') }));
const fixed = anonymous.filter(({ row }) => row.isFixed);

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
afterEach(() => vi.restoreAllMocks());

async function ask(path: string, headers: Record<string, string> = {}, method = 'GET') {
  const [answer] = await once(request({ port: worker.port, path, headers, method }).end(), 'response');
  const body = Buffer.concat(await Array.fromAsync(answer));
  return { status: answer.statusCode, headers: answer.headers, body };
}

describe('public GET routes', () => {
  it.each(anonymous)('the public route $path returns a fixed or small response', async ({ row, path }) => {
    const answer = await fetch(worker.origin + path);
    const { byteLength } = await answer.arrayBuffer();
    if (!row.isFixed) expect(byteLength).toBeLessThan(madeBytesMax);
  });
});

describe.each(fixed)('fixed response of $path', ({ path }) => {
  it('a fixed response is not serialized per request, and its bytes never change', async () => {
    const first = await ask(path);
    const stringify = vi.spyOn(JSON, 'stringify');
    for (let count = 0; count < 10; count++) expect((await ask(path)).body.equals(first.body)).toBe(true);
    const large = stringify.mock.results.filter(
      ({ value }) => typeof value === 'string' && value.length > madeBytesMax,
    );
    expect(large).toEqual([]);
    expect(JSON.parse(first.body.toString())).toHaveProperty('openapi');
  });

  it('a fixed response is compressed by Accept-Encoding, with an ETag per coding', async () => {
    const [plain, zipped, brotli] = [
      await ask(path, { 'accept-encoding': 'identity' }),
      await ask(path, { 'accept-encoding': 'gzip' }),
      await ask(path, { 'accept-encoding': 'gzip, br' }),
    ];
    expect(gunzipSync(zipped.body).equals(plain.body)).toBe(true);
    expect(brotliDecompressSync(brotli.body).equals(plain.body)).toBe(true);
    expect(brotli.body.length).toBeLessThan(plain.body.length / 8);
    const answers = [plain, zipped, brotli];
    expect(answers.map(({ headers }) => headers['content-encoding'])).toEqual([undefined, 'gzip', 'br']);
    expect(new Set(answers.map(({ headers }) => headers.etag)).size).toBe(3);
    for (const { headers } of answers) expect(headers.vary).toContain('accept-encoding');
  });

  it('a fixed response is a 304 without a body for a client that sends its ETag', async () => {
    for (const coding of ['identity', 'gzip', 'br']) {
      const { headers } = await ask(path, { 'accept-encoding': coding });
      const etag = String(headers.etag);
      for (const held of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
        const answer = await ask(path, { 'accept-encoding': coding, 'if-none-match': held });
        expect([answer.status, answer.body.length, answer.headers.etag]).toEqual([304, 0, etag]);
      }
      expect((await ask(path, { 'accept-encoding': coding, 'if-none-match': '"other"' })).status).toBe(200);
    }
  });

  it('HEAD of a fixed response returns the headers of its GET', async () => {
    const [get, head] = [await ask(path), await ask(path, {}, 'HEAD')];
    expect([head.status, head.body.length]).toEqual([200, 0]);
    for (const name of ['etag', 'content-length', 'content-type', 'vary', 'cache-control'])
      expect(head.headers[name], name).toBe(get.headers[name]);
  });
});
