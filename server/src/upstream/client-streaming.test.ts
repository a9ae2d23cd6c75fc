import type { LookupAddress } from 'node:dns';
import { getEventListeners } from 'node:events';
import type { Socket } from 'node:net';
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { originOf, requestTo, serve } from '#upstream/testing/upstream-call.ts';
import { classifyError } from './classify-failure.ts';
import { createUpstreamClient, streamingTimeouts } from './client.ts';
import type { UpstreamError } from './upstream-error.ts';
import type { UpstreamBody } from './upstream-response.ts';

const client = createUpstreamClient({ policy: { allowPrivate: true } });
const streamHead = 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n';

test('a consumer attached after a failure still receives the earlier data and the failure', async () => {
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

test('an abort drops received data before and during consumption', async () => {
  const sockets: Socket[] = [];
  const server = await serve((socket) => {
    sockets.push(socket);
    socket.write('HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nab');
  });
  for (const isEarly of [true, false]) {
    const { body } = await client.send(requestTo(originOf(server)));
    // Sent after the head was received, so that `ab` and `cd` are two chunks.
    await new Promise<unknown>((resolve) => sockets.at(-1)?.write('cd', resolve));
    await nextTurn();
    if (isEarly) body.abort();
    const events: string[] = [];
    body.consume({
      onData(chunk) {
        events.push(`${chunk}`);
        body.abort();
        return true;
      },
      onEnd: () => events.push('end'),
      onError: ({ code }) => events.push(code),
    });
    expect(events).toEqual(isEarly ? ['aborted'] : ['ab', 'aborted']);
  }
});

test.each(['onData', 'onEnd'])(
  'an exception thrown by %s is not attributed to the provider',
  async (method) => {
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
  },
);

test('an abort while connecting rejects immediately and sends nothing', async () => {
  const { promise: addresses, resolve: answerQuery } = Promise.withResolvers<LookupAddress[]>();
  const slow = createUpstreamClient({ policy: { allowPrivate: true }, resolve: () => addresses });
  const requests: string[] = [];
  const server = await serve((socket, request) => {
    requests.push(request.slice(0, 4));
    socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n');
  });
  const origin = `http://provider.test:${server.port}`;
  const aborter = new AbortController();
  const answer = slow.send(requestTo(origin, { signal: aborter.signal }));
  aborter.abort();
  await expect(answer).rejects.toMatchObject({ code: 'aborted', phase: 'before_first_byte' });

  answerQuery([{ address: '127.0.0.1', family: 4 }]);
  await expect.poll(() => server.connections.length).toBe(1);
  await slow.send(requestTo(origin, { method: 'GET', body: null }));
  expect(requests).toEqual(['GET ']);
});

test('a signal that is already aborted prevents sending', async () => {
  const server = await serve();
  const answer = client.send(requestTo(originOf(server), { signal: AbortSignal.abort() }));
  await expect(answer).rejects.toMatchObject({ code: 'aborted' });
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
  const answer = client.send(requestTo(originOf(server), { signal: aborter.signal }));
  await expect(answer).rejects.toMatchObject({ code: 'aborted', phase: 'before_first_byte' });
  expect((await closed.promise) - abortedAtMs).toBeLessThan(1000);
});

test.each([
  ['the signal', (_: UpstreamBody, aborter: AbortController) => aborter.abort(new Error('client left'))],
  ['the body', (body: UpstreamBody) => body.abort(new Error('client left'))],
])('an abort by %s in the middle of the body closes the connection, paused or not', async (_, abort) => {
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
  expect(getEventListeners(aborter.signal, 'abort')).toEqual([]);
  aborter.abort();
  body.abort();
  await client.send(requestTo(originOf(server)));
  expect(server.connections.every((socket) => !socket.destroyed)).toBe(true);
});

test("a consumer's pause does not count as idle time, but later silence does", async () => {
  const server = await serve((socket) => socket.write(`${streamHead}3\r\nabc\r\n`));
  const timeouts = { ...streamingTimeouts, idleMs: 200 };
  const { body } = await client.send(requestTo(originOf(server), { timeouts }));
  const { promise: failure, resolve: onError } = Promise.withResolvers<UpstreamError>();
  body.consume({ onData: () => false, onEnd() {}, onError });
  const pauseMs = 1000;
  const first = await Promise.race([failure, delay(pauseMs, 'still paused')]);
  expect(first).toBe('still paused');
  body.resume();
  expect(await failure).toMatchObject({ code: 'idle_timeout' });
});

test('a slow consumer pauses a fast upstream: 200 MiB pass through in bounded memory', async () => {
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

  // The upstream must stop sending if there is no consumer, and if the consumer stops reading.
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
