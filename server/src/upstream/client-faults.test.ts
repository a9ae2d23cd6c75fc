import type { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { listenRaw } from '#upstream/testing/raw-server.ts';
import { originOf, requestTo, serve } from '#upstream/testing/upstream-call.ts';
import { classifyError } from './classify-failure.ts';
import { createUpstreamClient, streamingTimeouts, type UpstreamRequest } from './client.ts';
import { UpstreamError } from './upstream-error.ts';
import type { UpstreamTimeouts } from './upstream-response.ts';

const client = createUpstreamClient({ policy: { allowPrivate: true } });
const withLimits = (limits: Partial<UpstreamTimeouts>) => ({ timeouts: { ...streamingTimeouts, ...limits } });

async function failureOf(request: UpstreamRequest, using = client) {
  const error: unknown = await using
    .send(request)
    .then(({ body }) => body.collect(1_000_000))
    .catch((reason: unknown) => reason);
  if (!(error instanceof UpstreamError)) throw new Error('The request should have failed', { cause: error });
  const { code } = error;
  const { kind, phase, isRetryable } = classifyError(error);
  return { code, kind, phase, isRetryable };
}

const streamHead = 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n';
const lengthHead = 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n';
const before = { phase: 'before_first_byte' };
const after = { phase: 'after_first_byte', isRetryable: false };
const shortly = { firstByteMs: 250, idleMs: 250 };

const faults: Record<string, [answer: (socket: Socket) => void, expected: object, limits?: object]> = {
  'silence before the head': [
    () => {},
    { code: 'first_byte_timeout', kind: 'timeout', isRetryable: false, ...before },
    shortly,
  ],
  'silence between head and body': [
    (socket) => socket.write(streamHead),
    { code: 'first_byte_timeout', kind: 'timeout', isRetryable: false, ...before },
    shortly,
  ],
  'a flood of informational heads': [
    (socket) => {
      const timer = setInterval(() => socket.write('HTTP/1.1 102 Processing\r\n\r\n'), 20);
      socket.on('close', () => clearInterval(timer));
    },
    { code: 'first_byte_timeout', kind: 'timeout', isRetryable: false, ...before },
    shortly,
  ],
  'silence between two chunks': [
    (socket) => socket.write(`${streamHead}3\r\nabc\r\n`),
    { code: 'idle_timeout', kind: 'timeout', ...after },
    shortly,
  ],
  'an answer that never ends': [
    (socket) => {
      socket.write(streamHead);
      const timer = setInterval(() => socket.write('1\r\n.\r\n'), 20);
      socket.on('close', () => clearInterval(timer));
    },
    { code: 'total_timeout', kind: 'timeout', ...after },
    { idleMs: 250, totalMs: 500 },
  ],
  'a reset before the head': [
    (socket) => socket.resetAndDestroy(),
    { code: 'reset', kind: 'reset', isRetryable: true, ...before },
  ],
  'a hang-up before the head': [
    (socket) => socket.end(),
    { code: 'reset', kind: 'reset', isRetryable: true, ...before },
  ],
  'a reset in the middle of the body': [
    (socket) =>
      socket.write(`${streamHead}3\r\nabc\r\n`, () => setTimeout(() => socket.resetAndDestroy(), 50)),
    { code: 'reset', kind: 'reset', ...after },
  ],
  'a hang-up short of the promised length': [
    (socket) => socket.end(`${lengthHead}abc`),
    { code: 'reset', kind: 'reset', ...after },
  ],
  'a hang-up short of the promised length of a closing connection': [
    (socket) => socket.end(`HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 100\r\n\r\nabc`),
    { code: 'reset', kind: 'reset', ...after },
  ],
  'a hang-up between two chunks': [
    (socket) => socket.end(`${streamHead}3\r\nabc\r\n`),
    { code: 'reset', kind: 'reset', ...after },
  ],
  'a hang-up in a chunk of a closing connection': [
    (socket) => socket.end(`${streamHead.replace('\r\n', '\r\nconnection: close\r\n')}5\r\nabc`),
    { code: 'reset', kind: 'reset', ...after },
  ],
  'something that is not HTTP': [
    (socket) => socket.end('220 mail.example.com ESMTP\r\n'),
    { code: 'protocol_error', kind: 'bad_response', isRetryable: false, ...before },
  ],
  'a broken chunk': [
    (socket) => socket.write(`${streamHead}3\r\nabc\r\nzz\r\n`),
    { code: 'protocol_error', kind: 'bad_response', ...after },
  ],
  'a head without limit': [
    (socket) => socket.write(`HTTP/1.1 200 OK\r\nx-filler: ${'x'.repeat(40_000)}\r\n\r\n`),
    { code: 'protocol_error', kind: 'bad_response', isRetryable: false, ...before },
  ],
  'a chunk whose extension never ends': [
    (socket) => {
      socket.write(`${streamHead}3;`);
      const timer = setInterval(() => socket.write('x'.repeat(1000)), 20);
      socket.on('close', () => clearInterval(timer));
    },
    { code: 'first_byte_timeout', kind: 'timeout', isRetryable: false, ...before },
    shortly,
  ],
  'trailers without end': [
    (socket) => {
      socket.write(`${streamHead}3\r\nabc\r\n0\r\n`);
      const timer = setInterval(() => socket.write(`x-trailer: ${'x'.repeat(1000)}\r\n`), 5);
      socket.on('close', () => clearInterval(timer));
    },
    { code: 'protocol_error', kind: 'bad_response', ...after },
  ],
  'a chain of encodings': [
    (socket) =>
      socket.write(
        'HTTP/1.1 200 OK\r\ncontent-encoding: identity\r\ncontent-encoding: br\r\ncontent-length: 3\r\n\r\nabc',
      ),
    { code: 'unsupported_encoding', kind: 'bad_response', isRetryable: false, ...before },
  ],
};

test.each(Object.entries(faults))(
  'the upstream client classifies %s and frees the connection',
  async (_, [answer, expected, limits]) => {
    const server = await serve(answer);
    expect(await failureOf(requestTo(originOf(server), withLimits(limits ?? {})))).toEqual(
      expect.objectContaining(expected),
    );
    await expect.poll(() => server.connections.every((socket) => socket.destroyed)).toBe(true);
    expect(server.connections).toHaveLength(1);
  },
);

test.each([
  'gzip',
  'GZIP',
  'x-gzip',
  'deflate',
  'br',
  'zstd',
  'compress',
  'gzip, gzip, gzip, gzip, gzip',
  'br, zstd, deflate, gzip',
  'identity, gzip',
  'unheard-of',
])(
  'the upstream client rejects a body with the unrequested encoding %s when only its head has arrived',
  async (encoding) => {
    const server = await serve((socket) =>
      socket.write(`HTTP/1.1 200 OK\r\ncontent-encoding: ${encoding}\r\ncontent-length: 1000000\r\n\r\nabc`),
    );
    expect(await failureOf(requestTo(originOf(server)))).toEqual({
      code: 'unsupported_encoding',
      kind: 'bad_response',
      isRetryable: false,
      ...before,
    });
    await expect.poll(() => server.connections[0]?.destroyed).toBe(true);
  },
);

test.each([301, 302, 303, 307, 308])(
  'the upstream client rejects a %i without following its location',
  async (status) => {
    const elsewhere = await serve();
    const server = await serve((socket) =>
      socket.write(
        `HTTP/1.1 ${status} Moved\r\nlocation: ${originOf(elsewhere)}/\r\ncontent-length: 0\r\n\r\n`,
      ),
    );
    expect(await failureOf(requestTo(originOf(server)))).toMatchObject({
      code: 'redirect_refused',
      kind: 'bad_response',
    });
    expect(elsewhere.connections).toHaveLength(0);
  },
);

test('a refused connection is a retryable connect failure', async () => {
  const server = await listenRaw();
  await server.close();
  const expected = { code: 'connect_failed', kind: 'connect', isRetryable: true, ...before };
  expect(await failureOf(requestTo(originOf(server)))).toEqual(expected);
});

test.each([
  ['ENOTFOUND', () => Promise.reject(Object.assign(new Error('no such name'), { code: 'ENOTFOUND' }))],
  ['an empty answer', () => Promise.resolve([])],
])('a host name that does not resolve (%s) is a retryable connect failure', async (_, resolve) => {
  const failing = createUpstreamClient({ policy: { allowPrivate: true }, resolve });
  const expected = { code: 'dns_failed', kind: 'connect', isRetryable: true, ...before };
  expect(await failureOf(requestTo('http://provider.test'), failing)).toEqual(expected);
});

test('a hanging resolver or TLS handshake is a connect timeout and is not retried', async () => {
  const expected = { code: 'connect_timeout', kind: 'timeout', isRetryable: false, ...before };
  const limits = withLimits({ connectMs: 200 });
  const hanging = createUpstreamClient({
    policy: { allowPrivate: true },
    resolve: () => new Promise(() => {}),
  });
  expect(await failureOf(requestTo('http://provider.test', limits), hanging)).toEqual(expected);
  const mute = await serve();
  expect(await failureOf(requestTo(`https://127.0.0.1:${mute.port}`, limits))).toEqual(expected);
});

test('a TLS endpoint that speaks another protocol is a connect failure', async () => {
  const server = await serve();
  const failure = failureOf(requestTo(`https://127.0.0.1:${server.port}`));
  await expect.poll(() => server.connections.length).toBe(1);
  server.connections[0]?.end('HTTP/1.1 400 Bad Request\r\n\r\n');
  expect(await failure).toMatchObject({ code: 'connect_failed', kind: 'connect' });
});

test('a header that HTTP does not allow fails the request before it is sent', async () => {
  const server = await serve();
  const headers = { authorization: 'Bearer sk-with-a-line-break\n' };
  const failure = await failureOf(requestTo(originOf(server), { headers }));
  expect(failure).toMatchObject({ code: 'invalid_request', kind: 'refused_here', isRetryable: false });
  expect(server.connections).toHaveLength(0);
});
