import type { Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { originOf, requestTo, serve } from '#upstream/testing/upstream-call.ts';
import { createUpstreamClient, nonStreamingTimeouts } from './client.ts';
import { UpstreamError } from './upstream-error.ts';

const client = createUpstreamClient({ policy: { allowPrivate: true } });

const answerOk = (socket: Socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok');

test('the upstream client sends the given method, path, query, headers and body, and requests no compression', async () => {
  let received = '';
  const server = await serve((socket, request) => {
    received = request;
    answerOk(socket);
  });
  await client.send(
    requestTo(originOf(server), {
      url: new URL(`http://127.0.0.1:${server.port}/v1beta/models/m:stream?alt=sse`),
      headers: { 'content-type': 'application/json', 'x-api-key': 'k', 'accept-encoding': 'gzip' },
      body: Buffer.from('{"a":"é"}'),
    }),
  );
  const [head = '', body] = received.split('\r\n\r\n');
  expect(head.split('\r\n')[0]).toBe('POST /v1beta/models/m:stream?alt=sse HTTP/1.1');
  expect(head).toContain('x-api-key: k');
  expect(head.match(/accept-encoding: .*/gi)).toEqual(['accept-encoding: identity']);
  expect(Buffer.from(body ?? '', 'latin1').toString()).toBe('{"a":"é"}');
});

test('the upstream client returns the status, lower-case headers and whole body, chunked or not', async () => {
  const server = await serve((socket, request) => {
    if (request.startsWith('GET')) answerOk(socket);
    else
      socket.write(
        'HTTP/1.1 418 No\r\nX-Request-Id: r1\r\nset-cookie: a\r\nset-cookie: b\r\n' +
          'transfer-encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n',
      );
  });
  const teapot = await client.send(requestTo(originOf(server)));
  expect(teapot.status).toBe(418);
  expect(teapot.headers['x-request-id']).toBe('r1');
  expect(teapot.headers['set-cookie']).toEqual(['a', 'b']);
  expect((await teapot.body.collect(100)).toString()).toBe('abcde');
  const plain = await client.send(requestTo(originOf(server), { method: 'GET', body: null }));
  expect((await plain.body.collect(2)).toString()).toBe('ok');
});

test('sequential requests share a connection and concurrent requests do not block each other', async () => {
  const waiting: Socket[] = [];
  const server = await serve((socket) => waiting.push(socket));
  const sendAndCollect = async () => (await client.send(requestTo(originOf(server)))).body.collect(10);

  const first = sendAndCollect();
  await expect.poll(() => waiting.length).toBe(1);
  waiting.splice(0).forEach(answerOk);
  await first;
  // A connection becomes free one event-loop turn after its response.
  await nextTurn();
  const second = sendAndCollect();
  await expect.poll(() => waiting.length).toBe(1);
  expect(server.connections).toHaveLength(1);

  const others = [sendAndCollect(), sendAndCollect(), sendAndCollect()];
  await expect.poll(() => waiting.length).toBe(4);
  expect(server.connections).toHaveLength(4);
  waiting.splice(0).forEach(answerOk);
  await Promise.all([second, ...others]);
});

test('collect rejects a body beyond the limit and closes its connection, even if the body has fully arrived', async () => {
  const server = await serve(answerOk);
  const answer = await client.send(requestTo(originOf(server)));
  await expect(answer.body.collect(1)).rejects.toMatchObject({ code: 'body_too_large' });

  const endless = await serve((socket) => socket.write(`HTTP/1.1 200 OK\r\n\r\n${'x'.repeat(1000)}`));
  const stream = await client.send(requestTo(originOf(endless)));
  await expect(stream.body.collect(999)).rejects.toMatchObject({ code: 'body_too_large' });
  await expect.poll(() => endless.connections[0]?.destroyed).toBe(true);
});

test('consume first delivers the data received before the consumer was attached, in order', async () => {
  const { promise: allWritten, resolve } = Promise.withResolvers<void>();
  const server = await serve((socket) => {
    socket.write('HTTP/1.1 200 OK\r\ncontent-length: 6\r\n\r\nab');
    setImmediate(() => socket.write('cd', () => socket.write('ef', () => resolve())));
  });
  const { body } = await client.send(requestTo(originOf(server)));
  await allWritten;
  await nextTurn();
  expect((await body.collect(6)).toString()).toBe('abcdef');
});

test('a body keeps its order when the consumer resumes while held data is delivered', async () => {
  const sent = Buffer.from(Uint32Array.from({ length: 100_000 }, (_, index) => index).buffer);
  const { promise: allWritten, resolve } = Promise.withResolvers<void>();
  const server = await serve((socket) => {
    socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${sent.length}\r\n\r\n`);
    socket.write(sent, () => resolve());
  });
  const { body } = await client.send(requestTo(originOf(server)));
  await allWritten;
  for (let turn = 0; turn < 10; turn += 1) await nextTurn();
  const received: Buffer[] = [];
  await new Promise<void>((onEnd, onError) => {
    body.consume({
      onData(chunk) {
        body.resume();
        return received.push(chunk) > 0;
      },
      onEnd,
      onError,
    });
  });
  expect(Buffer.concat(received).equals(sent)).toBe(true);
});

test('a body accepts only one consumer', async () => {
  const server = await serve(answerOk);
  const { body } = await client.send(requestTo(originOf(server)));
  await body.collect(10);
  expect(() => body.consume({ onData: () => true, onEnd() {}, onError() {} })).toThrow(
    /already has a consumer/,
  );
});

test('the upstream client skips informational responses', async () => {
  const server = await serve((socket) => {
    socket.write('HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\nHTTP/1.1 102 Processing\r\n\r\n');
    answerOk(socket);
  });
  const answer = await client.send(requestTo(originOf(server)));
  expect(answer.status).toBe(200);
});

test('the upstream client ignores proxy variables', async () => {
  const proxy = await serve();
  const server = await serve(answerOk);
  const proxyUrl = `http://127.0.0.1:${proxy.port}`;
  const names = ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'ALL_PROXY', 'NODE_USE_ENV_PROXY'];
  for (const name of names) process.env[name] = proxyUrl;
  const fresh = createUpstreamClient({ policy: { allowPrivate: true } });
  const answer = await fresh.send(requestTo(originOf(server)));
  for (const name of names) delete process.env[name];
  expect(answer.status).toBe(200);
  expect(proxy.connections).toHaveLength(0);
});

test('the trusted origin skips the address check and does not share its connection with guarded requests', async () => {
  const refusals: unknown[] = [];
  const strict = createUpstreamClient({
    policy: { allowPrivate: false },
    log: { warn: (fields) => refusals.push(fields) },
  });
  const server = await serve(answerOk);
  const answer = await strict.send(requestTo(originOf(server), { trustedOrigin: true }));
  await answer.body.collect(10);
  await expect(strict.send(requestTo(originOf(server)))).rejects.toMatchObject({ code: 'blocked_address' });
  expect(server.connections).toHaveLength(1);
  expect(refusals).toEqual([{ host: '127.0.0.1', reason: expect.stringContaining('loopback') }]);
});

test('close waits for requests in flight and rejects later ones', async () => {
  const waiting: Socket[] = [];
  const server = await serve((socket) => waiting.push(socket));
  const closing = createUpstreamClient({ policy: { allowPrivate: true } });
  const answer = closing.send(requestTo(originOf(server), { timeouts: nonStreamingTimeouts }));
  await expect.poll(() => waiting.length).toBe(1);
  const closed = closing.close();
  waiting.forEach(answerOk);
  expect((await (await answer).body.collect(10)).toString()).toBe('ok');
  await closed;
  await expect(closing.send(requestTo(originOf(server)))).rejects.toMatchObject({ code: 'aborted' });
});

test('begun resolves at the first byte or at the end of an empty body, and rejects if the connection closes earlier', async () => {
  const head = 'HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\n';
  const answers = [`${head}half`, 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n', head];
  const server = await serve((socket, request) => {
    const answer = answers[Number(/^POST \/(\d)/.exec(request)?.[1])];
    socket.write(answer ?? '');
    if (answer === head) setImmediate(() => socket.destroy());
  });
  const send = (answer: number) =>
    client.send(requestTo(originOf(server), { url: new URL(`${originOf(server)}/${answer}`) }));
  for (const [answer, text] of ['half', ''].entries()) {
    const { body } = await send(answer);
    await body.begun();
    await body.begun();
    expect((await body.collect(10)).toString()).toBe(text);
  }
  const { body } = await send(2);
  await expect(body.begun()).rejects.toMatchObject({ code: 'reset', phase: 'before_first_byte' });
  await expect(body.begun()).rejects.toMatchObject({ code: 'reset' });
});

test('onError receives an error thrown by the consumer: an UpstreamError with its code, any other as consumer_failed', async () => {
  const server = await serve(answerOk);
  for (const [thrown, code] of [
    [new UpstreamError('frame_too_large', 'after_first_byte'), 'frame_too_large'],
    [new TypeError('a fault of the consumer'), 'consumer_failed'],
  ] as const) {
    const { body } = await client.send(requestTo(originOf(server)));
    const failed = new Promise<UpstreamError>((resolve, reject) =>
      body.consume({
        onData() {
          throw thrown;
        },
        onEnd: () => reject(new Error('this should have failed')),
        onError: resolve,
      }),
    );
    expect(await failed).toMatchObject({ code, cause: thrown });
  }
});

test('takeArrived returns a body that has arrived in one piece, once, and null in all other cases', async () => {
  const whole = await serve(answerOk);
  const { body } = await client.send(requestTo(originOf(whole)));
  expect(`${body.takeArrived()}`).toBe('ok');
  expect(body.takeArrived()).toBeNull();
  const sockets: Socket[] = [];
  const half = await serve((socket) => {
    sockets.push(socket);
    socket.write('HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nha');
  });
  const { body: cut } = await client.send(requestTo(originOf(half)));
  await cut.begun();
  expect(cut.takeArrived()).toBeNull();
  sockets[0]?.write('lf');
  expect(`${await cut.collect(10)}`).toBe('half');
});
