import type { LookupAddress } from 'node:dns';
import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { classifyError } from '#upstream/classify-failure.ts';
import { createUpstreamClient, streamingTimeouts, type UpstreamRequest } from '#upstream/client.ts';
import { listenRaw, type RawServer } from '#upstream/testing/raw-server.ts';
import { UpstreamError } from '#upstream/upstream-error.ts';
import type { UpstreamBody, UpstreamTimeouts } from '#upstream/upstream-response.ts';

const client = createUpstreamClient({ policy: { allowPrivate: true } });
const servers: RawServer[] = [];

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

async function serve(onRequest?: (socket: Socket, request: string) => void): Promise<RawServer> {
  const server = await listenRaw(onRequest);
  servers.push(server);
  return server;
}

function requestTo(origin: string, changes: Partial<UpstreamRequest> = {}): UpstreamRequest {
  return {
    url: new URL(`${origin}/v1/chat/completions`),
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: Buffer.from('{}'),
    signal: new AbortController().signal,
    timeouts: streamingTimeouts,
    ...changes,
  };
}

const originOf = (server: RawServer) => `http://127.0.0.1:${server.port}`;
const withLimits = (limits: Partial<UpstreamTimeouts>) => ({ timeouts: { ...streamingTimeouts, ...limits } });

/** How the request fails, be it before the head or in the body. */
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
    { code: 'first_byte_timeout', kind: 'timeout', isRetryable: true, ...before },
    shortly,
  ],
  'silence between head and body': [
    (socket) => socket.write(streamHead),
    { code: 'first_byte_timeout', kind: 'timeout', isRetryable: true, ...before },
    shortly,
  ],
  'a flood of informational heads': [
    (socket) => {
      const timer = setInterval(() => socket.write('HTTP/1.1 102 Processing\r\n\r\n'), 20);
      socket.on('close', () => clearInterval(timer));
    },
    { code: 'first_byte_timeout', kind: 'timeout', isRetryable: true, ...before },
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
  'a compressed body': [
    (socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: 3\r\n\r\nabc'),
    { code: 'unsupported_encoding', kind: 'bad_response', isRetryable: false, ...before },
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
  '%s is told apart and frees the connection',
  async (_, [answer, expected, limits]) => {
    const server = await serve(answer);
    expect(await failureOf(requestTo(originOf(server), withLimits(limits ?? {})))).toEqual(
      expect.objectContaining(expected),
    );
    await expect.poll(() => server.connections.every((socket) => socket.destroyed)).toBe(true);
    expect(server.connections).toHaveLength(1);
  },
);

test.each([301, 302, 303, 307, 308])('a %i is refused and its location not visited', async (status) => {
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
});

test('a refused connection is a retryable connect failure', async () => {
  const server = await listenRaw();
  await server.close();
  const expected = { code: 'connect_failed', kind: 'connect', isRetryable: true, ...before };
  expect(await failureOf(requestTo(originOf(server)))).toEqual(expected);
});

test.each([
  ['ENOTFOUND', () => Promise.reject(Object.assign(new Error('no such name'), { code: 'ENOTFOUND' }))],
  ['an empty answer', () => Promise.resolve([])],
])('a name that does not resolve (%s) is a retryable connect failure', async (_, resolve) => {
  const failing = createUpstreamClient({ policy: { allowPrivate: true }, resolve });
  const expected = { code: 'dns_failed', kind: 'connect', isRetryable: true, ...before };
  expect(await failureOf(requestTo('http://provider.test'), failing)).toEqual(expected);
});

test('a resolver or a TLS handshake that hangs is a retryable connect timeout', async () => {
  const expected = { code: 'connect_timeout', kind: 'timeout', isRetryable: true, ...before };
  const limits = withLimits({ connectMs: 200 });
  const hanging = createUpstreamClient({
    policy: { allowPrivate: true },
    resolve: () => new Promise(() => {}),
  });
  expect(await failureOf(requestTo('http://provider.test', limits), hanging)).toEqual(expected);
  const mute = await serve();
  expect(await failureOf(requestTo(`https://127.0.0.1:${mute.port}`, limits))).toEqual(expected);
});

test('a TLS endpoint that speaks something else is a connect failure', async () => {
  const server = await listenRaw();
  servers.push(server);
  const failure = failureOf(requestTo(`https://127.0.0.1:${server.port}`));
  await expect.poll(() => server.connections.length).toBe(1);
  server.connections[0]?.end('HTTP/1.1 400 Bad Request\r\n\r\n');
  expect(await failure).toMatchObject({ code: 'connect_failed', kind: 'connect' });
});

test('a header that HTTP does not allow is a failure of the request, which is not sent', async () => {
  const server = await serve();
  const headers = { authorization: 'Bearer sk-with-a-line-break\n' };
  const failure = await failureOf(requestTo(originOf(server), { headers }));
  expect(failure).toMatchObject({ code: 'invalid_request', kind: 'connect', isRetryable: false });
  expect(server.connections).toHaveLength(0);
});

test('what arrived before a failure still reaches a consumer that comes later, and so does the failure', async () => {
  const server = await serve((socket) => socket.end(`${streamHead}3\r\nabc\r\n`));
  const { body } = await client.send(requestTo(originOf(server)));
  await expect.poll(() => server.connections[0]?.destroyed).toBe(true);
  const events: string[] = [];
  body.consume({
    onData: (chunk) => events.push(`${chunk}`) > 0,
    onEnd: () => events.push('end'),
    onError: ({ code }) => events.push(code),
  });
  await expect.poll(() => events).toEqual(['abc', 'reset']);
});

test('an abort before anybody consumes the body drops it, even when it was complete', async () => {
  const server = await serve((socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'));
  const { body } = await client.send(requestTo(originOf(server)));
  body.abort();
  await expect(body.collect(10)).rejects.toMatchObject({ code: 'aborted' });
});

test.each(['onData', 'onEnd'])('an exception of %s is not blamed on the provider', async (method) => {
  const server = await serve((socket) => socket.write(`${streamHead}3\r\nabc\r\n0\r\n\r\n`));
  const { body } = await client.send(requestTo(originOf(server)));
  const error = await new Promise<UpstreamError>((onError) => {
    const consumer = { onData: () => true, onEnd() {}, onError };
    const fail = () => {
      throw new Error('broken relay');
    };
    body.consume({ ...consumer, [method]: fail });
  });
  expect(classifyError(error)).toMatchObject({ kind: 'aborted', isRetryable: false });
});

test('an abort while connecting rejects at once and sends nothing later', async () => {
  const { promise: addresses, resolve: answerQuery } = Promise.withResolvers<LookupAddress[]>();
  const slow = createUpstreamClient({ policy: { allowPrivate: true }, resolve: () => addresses });
  const requests: string[] = [];
  const server = await serve((socket, request) => {
    requests.push(request.slice(0, 4));
    socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n');
  });
  const origin = `http://provider.test:${server.port}`;
  const aborter = new AbortController();
  const failure = failureOf(requestTo(origin, { signal: aborter.signal }), slow);
  aborter.abort();
  expect(await failure).toMatchObject({ code: 'aborted', kind: 'aborted', isRetryable: false, ...before });

  answerQuery([{ address: '127.0.0.1', family: 4 }]);
  await expect.poll(() => server.connections.length).toBe(1);
  await slow.send(requestTo(origin, { method: 'GET', body: null }));
  expect(requests).toEqual(['GET ']);
});

test('a signal that was aborted before sends nothing', async () => {
  const server = await serve();
  const failure = await failureOf(requestTo(originOf(server), { signal: AbortSignal.abort() }));
  expect(failure).toMatchObject({ code: 'aborted' });
  expect(server.connections).toHaveLength(0);
});

test('an abort while waiting for the head closes the connection', async () => {
  const aborter = new AbortController();
  const server = await serve((socket) => {
    socket.on('close', () => closed.resolve(performance.now()));
    abortedAtMs = performance.now();
    aborter.abort();
  });
  const closed = Promise.withResolvers<number>();
  let abortedAtMs = Number.NaN;
  const failure = await failureOf(requestTo(originOf(server), { signal: aborter.signal }));
  expect(failure).toMatchObject({ code: 'aborted', ...before });
  expect((await closed.promise) - abortedAtMs).toBeLessThan(1000);
});

test.each([
  ['the signal', (_: UpstreamBody, aborter: AbortController) => aborter.abort(new Error('client left'))],
  ['the body', (body: UpstreamBody) => body.abort(new Error('client left'))],
])('an abort by %s in the middle of the body, paused or not, closes the connection', async (_, abort) => {
  for (const wantsMore of [true, false]) {
    const server = await serve((socket) => socket.write(`${streamHead}3\r\nabc\r\n`));
    const aborter = new AbortController();
    const { body } = await client.send(requestTo(originOf(server), { signal: aborter.signal }));
    const error = await new Promise<UpstreamError>((onError) => {
      body.consume({
        onData() {
          setImmediate(() => abort(body, aborter));
          return wantsMore;
        },
        onEnd() {},
        onError,
      });
    });
    expect(error).toMatchObject({
      code: 'aborted',
      phase: 'after_first_byte',
      cause: { message: 'client left' },
    });
    await expect.poll(() => server.connections[0]?.destroyed).toBe(true);
  }
});

test('an abort after the end changes nothing', async () => {
  const server = await serve((socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'));
  const aborter = new AbortController();
  const { body } = await client.send(requestTo(originOf(server), { signal: aborter.signal }));
  expect(`${await body.collect(10)}`).toBe('ok');
  aborter.abort();
  body.abort();
  await client.send(requestTo(originOf(server)));
  expect(server.connections.every((socket) => !socket.destroyed)).toBe(true);
});

test('a pause of the consumer does not count as idle, silence after it does', async () => {
  const server = await serve((socket) => socket.write(`${streamHead}3\r\nabc\r\n`));
  const limits = withLimits({ idleMs: 200 });
  const { body } = await client.send(requestTo(originOf(server), limits));
  const { promise: failure, resolve: onError } = Promise.withResolvers<UpstreamError>();
  body.consume({ onData: () => false, onEnd() {}, onError });
  const pauseMs = 1000;
  const first = await Promise.race([failure, delay(pauseMs, 'still paused')]);
  expect(first).toBe('still paused');
  body.resume();
  expect(await failure).toMatchObject({ code: 'idle_timeout' });
});

test('a slow consumer pauses a fast upstream: 200 MiB pass in little memory', async () => {
  const totalBytes = 200 * 1024 * 1024;
  const piece = Buffer.alloc(256 * 1024, 'x');
  let sentBytes = 0;
  const server = await serve((socket) => {
    const pump = () => {
      while (sentBytes < totalBytes) {
        sentBytes += piece.length;
        if (!socket.write(piece)) return socket.once('drain', pump);
      }
    };
    socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${totalBytes}\r\n\r\n`);
    pump();
  });
  const { body } = await client.send(requestTo(originOf(server)));

  // Without a consumer, and with one that reads nothing, the upstream comes to a halt.
  let sentBefore = -1;
  while (sentBefore !== sentBytes) {
    sentBefore = sentBytes;
    await delay(100);
  }
  expect(sentBytes).toBeLessThan(32 * 1024 * 1024);

  let receivedBytes = 0;
  let aheadBytesMax = 0;
  const restingBytes = process.memoryUsage().rss;
  let peakBytes = 0;
  await new Promise<void>((onEnd, onError) => {
    body.consume({
      onData(chunk) {
        receivedBytes += chunk.length;
        aheadBytesMax = Math.max(aheadBytesMax, sentBytes - receivedBytes);
        if (receivedBytes % (4 * 1024 * 1024) < chunk.length)
          peakBytes = Math.max(peakBytes, process.memoryUsage().rss);
        setImmediate(() => body.resume());
        return false;
      },
      onEnd,
      onError,
    });
  });
  expect(receivedBytes).toBe(totalBytes);
  expect(aheadBytesMax).toBeLessThan(32 * 1024 * 1024);
  expect(peakBytes - restingBytes).toBeLessThan(150 * 1024 * 1024);
});
