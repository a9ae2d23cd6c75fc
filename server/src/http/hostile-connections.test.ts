import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningServer, startHttpServer, startWorker } from '#test/console/console-server.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { exchange } from '#test/requests/raw-exchange.ts';
import { defaultTimeouts } from './node-server.ts';

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

const planes = [
  { plane: 'the gateway', target: '/api/v1/chat/completions' },
  { plane: 'the console', target: '/api/v1/auth/login' },
];
const post = (target: string, headers: string[], body = '') =>
  [`POST ${target} HTTP/1.1`, 'Host: sluice', ...headers, '', body].join('\r\n');
const canary = 'GET /healthz HTTP/1.1\r\nHost: sluice\r\nConnection: close\r\n\r\n';
const smuggled = 'GET /healthz?smuggled HTTP/1.1\r\nHost: sluice\r\n\r\n';

const ambiguous: Record<string, [headers: string[], body: string]> = {
  'a length and chunks': [['Content-Length: 5', 'Transfer-Encoding: chunked'], `0\r\n\r\n${smuggled}`],
  'chunks and a length': [['Transfer-Encoding: chunked', 'Content-Length: 4'], `0\r\n\r\n${smuggled}`],
  'two lengths': [['Content-Length: 0', `Content-Length: ${smuggled.length}`], smuggled],
  'the same length twice': [['Content-Length: 5', 'Content-Length: 5'], 'hello'],
  'a list of lengths': [['Content-Length: 5, 5'], 'hello'],
  'a length with a sign': [['Content-Length: +5'], 'hello'],
  'a negative length': [['Content-Length: -1'], 'hello'],
  'a hexadecimal length': [['Content-Length: 0x5'], 'hello'],
  'a length in two words': [['Content-Length: 5 5'], 'hello'],
  'an empty length': [['Content-Length:'], 'hello'],
  'a length beyond all numbers': [['Content-Length: 99999999999999999999'], 'hello'],
  'two hosts': [['Host: other'], ''],
  'the same host twice': [['Host: sluice'], ''],
  'an unknown coding': [['Transfer-Encoding: xchunked'], `0\r\n\r\n${smuggled}`],
  'a coding after chunked': [['Transfer-Encoding: chunked, identity'], `0\r\n\r\n${smuggled}`],
  'chunked twice': [['Transfer-Encoding: chunked', 'Transfer-Encoding: identity'], `0\r\n\r\n${smuggled}`],
  'a blank before the colon': [['Transfer-Encoding : chunked'], `0\r\n\r\n${smuggled}`],
  'a folded header': [['X-Note: one', ' two'], ''],
  'a folded coding': [['Transfer-Encoding:', ' chunked'], `0\r\n\r\n${smuggled}`],
  'a header without a colon': [['nonsense'], ''],
  'a header that begins with a colon': [[': value'], ''],
  'NUL in a header': [['X-Note: a\0b'], ''],
  'a lone line feed between headers': [['X-Note: one\nX-Other: two'], ''],
  'a lone carriage return in a header': [['X-Note: one\rX-Other: two'], ''],
  'a chunk of no size': [['Transfer-Encoding: chunked'], `zz\r\nhello\r\n0\r\n\r\n`],
  'a chunk longer than its size': [['Transfer-Encoding: chunked'], `2\r\nhello\r\n0\r\n\r\n`],
  'a chunk beyond all numbers': [['Transfer-Encoding: chunked'], `ffffffffffffffffff\r\nhello\r\n0\r\n\r\n`],
  'chunks that end in line feeds': [['Transfer-Encoding: chunked'], `5\nhello\n0\n\n`],
};

describe.each(planes)('$plane', ({ plane, target }) => {
  it.each(Object.entries(ambiguous))(
    'the server rejects %s and reads nothing after it',
    async (_name, [headers, body]) => {
      const answers = await exchange(worker.port, post(target, headers, body) + canary);
      const last = answers.at(-1);
      expect(last?.status).toBe(400);
      expect(JSON.parse(last?.body ?? '')).toEqual({ detail: 'This is not a valid HTTP request.' });
      expect(last?.headers).toMatchObject({ connection: 'close', 'x-request-id': expect.any(String) });
      // Invalid chunks are detected after the head, when a response may already have been sent.
      expect(answers.slice(0, -1).every(({ status }) => status === 401 || status === 415)).toBe(true);
    },
  );

  it.each([
    'Authorization: Bearer x',
    'X-Api-Key: x',
    'Api-Key: x',
    'X-Goog-Api-Key: x',
    'Anthropic-Version: 2023-06-01',
    'Content-Type: application/json',
    'Content-Encoding: identity',
    'Idempotency-Key: x',
    'X-Sluice-Tenant: default',
    'X-Task-Id: 1',
  ])('the server rejects duplicates of a decisive header with its own message: %s', async (header) => {
    const [name = ''] = header.toLowerCase().split(':');
    const headers = [header, `${name}: another`, 'Content-Length: 2'];
    const [answer] = await exchange(worker.port, post(target, headers, '{}') + canary);
    expect(answer?.status).toBe(400);
    const { detail, error } = JSON.parse(answer?.body ?? '');
    expect(detail ?? error.message).toBe(`The header ${name} was sent more than once. Send it once.`);
    expect(error?.code).toBe(plane === 'the gateway' ? 'invalid_request' : undefined);
    expect(answer?.headers['x-request-id']).toBeDefined();
  });

  it('the server accepts list headers on several lines', async () => {
    const headers = ['Accept: a/b', 'Accept: c/d', 'Connection: close'];
    const [answer] = await exchange(worker.port, post(target, headers));
    expect(answer?.status).not.toBe(400);
  });

  it('the server rejects a chunked HTTP/1.0 message', async () => {
    const message = `POST ${target} HTTP/1.0\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n`;
    const answers = await exchange(worker.port, `${message}0\r\n\r\n${smuggled}${canary}`);
    expect(answers.map(({ status }) => status)).toEqual([400]);
  });

  it('the server rejects HTTP/1.0 with two hosts', async () => {
    const message = `POST ${target} HTTP/1.0\r\nHost: one\r\nHost: two\r\n\r\n`;
    expect((await exchange(worker.port, message)).map(({ status }) => status)).toEqual([400]);
  });

  it('the server rejects HTTP/1.1 without a host', async () => {
    const answers = await exchange(worker.port, `POST ${target} HTTP/1.1\r\n\r\n${canary}`);
    expect(answers.map(({ status }) => status)).toEqual([400]);
  });

  it('the server rejects headers above 16 KiB', async () => {
    const headers = Array.from({ length: 3_000 }, (_, index) => `X-${index}: y`);
    const answers = await exchange(worker.port, post(target, headers) + canary);
    expect(answers.map(({ status }) => status)).toEqual([431]);
    expect(answers[0]?.headers['x-request-id']).toBeDefined();
  });

  it('the server never treats an unread body as the next request', async () => {
    const refused = post(target, [`Content-Length: ${smuggled.length}`], smuggled);
    const answers = await exchange(worker.port, refused + canary);
    expect(answers).toHaveLength(2);
    expect(answers[0]?.status).toBeGreaterThanOrEqual(400);
    expect(answers[1]).toMatchObject({ status: 200, body: '{"status":"ok"}' });
  });

  it('the server sends 100 Continue to a client that expects it', async () => {
    const headers = ['Expect: 100-continue', 'Content-Type: application/json', 'Content-Length: 2'];
    const answers = await exchange(worker.port, post(target, headers, '{}') + canary);
    expect(answers[0]?.status).toBe(100);
    expect(answers.at(-1)?.status).toBeGreaterThanOrEqual(200);
  });

  it('the server ignores an unknown expectation', async () => {
    const plain = ['Content-Type: application/json', 'Content-Length: 2', 'Connection: close'];
    const [expected] = await exchange(worker.port, post(target, plain, '{}'));
    const [answer] = await exchange(worker.port, post(target, ['Expect: the-best', ...plain], '{}'));
    expect(answer?.status).toBe(expected?.status);
  });
});

describe('both planes on one connection', () => {
  const get = (target: string, version = 'HTTP/1.1') => `GET ${target} ${version}\r\nHost: sluice\r\n\r\n`;

  it.each(['/api/v1/models', '/api/v1/auth/me', '/'])(
    'the server does not echo a TRACE request: %s',
    async (target) => {
      const trace = `TRACE ${target} HTTP/1.1\r\nHost: sluice\r\nX-Note: canary\r\nConnection: close\r\n\r\n`;
      const [answer] = await exchange(worker.port, trace);
      expect([404, 405]).toContain(answer?.status);
      expect(JSON.stringify(answer)).not.toContain('canary');
    },
  );

  it('the server responds to pipelined requests in order', async () => {
    const requests = [get('/healthz'), get('/api/v1/models'), get('/api/v1/auth/me'), get('/api/v1/nothing')];
    const answers = await exchange(worker.port, requests.join('') + canary);
    expect(answers.map(({ status }) => status)).toEqual([200, 401, 401, 501, 200]);
    expect(answers[1]?.body).toContain('missing_api_key');
    expect(answers[2]?.body).toBe('{"detail":"Not authenticated"}');
  });

  it('the server accepts a target in absolute form', async () => {
    const requests = [
      get('http://sluice/api/v1/models'),
      get('HTTP://other:80/api/v1/auth/me'),
      get('http://x'),
    ];
    const answers = await exchange(worker.port, requests.join('') + canary);
    expect(answers[0]?.body).toContain('missing_api_key');
    expect(answers[1]?.body).toBe('{"detail":"Not authenticated"}');
    expect(answers[2]?.status).toBe((await fetch(`${worker.origin}/`)).status);
    expect(answers[3]?.status).toBe(200);
  });

  it.each(['/api/v1/models', '/api/v1/auth/me'])(
    'the server closes the connection after an HTTP/1.0 request: %s',
    async (target) => {
      const [answer, ...others] = await exchange(worker.port, get(target, 'HTTP/1.0') + canary);
      expect(answer).toMatchObject({ status: 401, headers: { connection: 'close' } });
      expect(others).toEqual([]);
    },
  );

  it('the server sends no body to HEAD', async () => {
    for (const path of ['/healthz', '/api/v1/auth/me', '/api/v1/models']) {
      const response = await fetch(worker.origin + path, { method: 'HEAD' });
      expect(await response.text()).toBe('');
    }
    expect((await fetch(`${worker.origin}/healthz`, { method: 'HEAD' })).status).toBe(200);
  });

  it('the server allows every origin in OPTIONS of the public surface, and none of the console', async () => {
    const ask = (path: string) => fetch(worker.origin + path, { method: 'OPTIONS' });
    const open = await ask('/api/v1/chat/completions');
    expect(open.status).toBe(204);
    expect(open.headers.get('access-control-allow-origin')).toBe('*');
    const shut = await ask('/api/v1/admin/users');
    expect(shut.status).toBe(404);
    expect(shut.headers.get('access-control-allow-origin')).toBeNull();
    const [all] = await exchange(
      worker.port,
      'OPTIONS * HTTP/1.1\r\nHost: sluice\r\nConnection: close\r\n\r\n',
    );
    expect(all?.status).toBe(404);
  });

  it.each([
    ['a TLS greeting', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
    ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['an invalid method', 'GET\0 / HTTP/1.1\r\nHost: sluice\r\n\r\n'],
    ['lone line feeds', 'GET /healthz HTTP/1.1\nHost: sluice\n\n'],
    ['an unknown version', 'GET /healthz HTTP/9.9\r\nHost: sluice\r\n\r\n'],
  ])('the server rejects %s', async (_name, bytes) => {
    const answers = await exchange(worker.port, Buffer.from(bytes, 'latin1'));
    expect(answers.map(({ status }) => status)).toEqual([400]);
  });
});

describe('invalid bytes after a request', () => {
  const request = 'GET / HTTP/1.1\r\nHost: sluice\r\n\r\n';

  it('invalid bytes never get a response inside the response to the request', async () => {
    const server = await startHttpServer({
      gatewayHandler(_request, response) {
        response.writeHead(200, { 'content-length': 100 });
        response.write('a first half');
        return true;
      },
    });
    const socket = connect(server.port, '127.0.0.1');
    socket.write(request);
    const [head] = await once(socket, 'data');
    socket.write('nonsense\r\n\r\n');
    const [rest] = await Promise.race([once(socket, 'data'), once(socket, 'close').then(() => [''])]);
    expect(`${head}${rest}`.split('HTTP/1.1')).toHaveLength(2);
    await server.close();
  });

  it("invalid bytes never get a response in place of the request's", async () => {
    const server = await startHttpServer({ gatewayHandler: () => true });
    expect(await exchange(server.port, `${request}nonsense\r\n\r\n`)).toEqual([]);
    await server.close();
  });
});

describe('a slow sender', () => {
  const timeouts = {
    headersTimeout: 300,
    requestTimeout: 600,
    keepAliveTimeout: 60_000,
    connectionsCheckingInterval: 50,
  };
  const request = `POST /api/v1/auth/login HTTP/1.1\r\nHost: sluice\r\nContent-Type: application/json\r\n`;
  let server: RunningServer;
  beforeAll(async () => {
    const gatewayHandler = (incoming: { url?: string | undefined }) => incoming.url === '/gate';
    server = await startHttpServer({ timeouts, gatewayHandler });
  });
  afterAll(() => server.close());

  it('a slow sender has 10 s for the headers and 60 s for the whole request', () => {
    expect(defaultTimeouts).toMatchObject({ headersTimeout: 10_000, requestTimeout: 60_000 });
  });

  it('a request with slow headers is rejected with a 408', async () => {
    const [answer] = await exchange(server.port, request);
    expect(answer?.status).toBe(408);
    expect(JSON.parse(answer?.body ?? '')).toEqual({ detail: 'The request did not arrive in time.' });
  });

  it('a client whose headers keep trickling in is disconnected', async () => {
    const socket = connect(server.port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write(request);
    // Data must be read, since the socket emits `end` only after all data.
    socket.resume();
    while (!socket.closed) {
      socket.write('x');
      await setTimeout(20);
    }
  });

  it.each(['/gate', '/healthz'])('a request with a slow body is rejected with a 408: %s', async (target) => {
    const bytes = request.replace('/api/v1/auth/login', target);
    const [answer] = await exchange(server.port, `${bytes}Content-Length: 100\r\n\r\n{"half":`);
    expect(answer?.status).toBe(408);
    expect(JSON.parse(answer?.body ?? '')).toEqual({ detail: 'The request did not arrive in time.' });
  });
});
