import { once } from 'node:events';
import type { Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startGateway, type TestGateway } from '#test/console/gateway.ts';
import { completionText } from '#test/providers/scripted-provider.ts';
import { readCompletion, readError, readEvents } from '#test/requests/answers.ts';
import { listenRaw, type RawServer } from '#upstream/testing/raw-server.ts';

const providerKey = 'canary.no.pattern.knows.it';
const mebibyte = 1024 * 1024;

const plays = new Map<string, (socket: Socket, request: string) => unknown>();
const models = Array.from({ length: 40 }, (_, index) => `m${index}`);

let provider: RawServer;
let gateway: TestGateway;
beforeAll(async () => {
  provider = await listenRaw((socket, request) =>
    plays.get(/"model":"(m\d+)"/.exec(request)?.[1] ?? '')?.(socket, request),
  );
  const quick = { connectMs: 2_000, firstByteMs: 2_000, idleMs: 2_000, totalMs: 60_000 };
  gateway = await startGateway({
    timeouts: { streaming: quick, nonStreaming: quick, retriesMax: 0 },
    seed: (seed) =>
      seed.addInstance({
        name: 'lab',
        models,
        endpoint: `http://127.0.0.1:${provider.port}/v1`,
        providerApiKey: providerKey,
      }),
  });
});
afterAll(async () => {
  await gateway.stop();
  await provider.close();
});

const call = async (play: (socket: Socket, request: string) => unknown, stream = true) => {
  const model = models[plays.size] ?? '';
  plays.set(model, play);
  const answer = await gateway.complete({ model, stream });
  return { answer, row: () => gateway.waitForRow(answer.headers.get('x-request-id') ?? '') };
};

const streamHead = 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n';
const delta = (content: string) => `data: {"choices":[{"index":0,"delta":{"content":"${content}"}}]}\n\n`;
const finish = 'data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\n';
const usage = 'data: {"choices":[],"usage":{"prompt_tokens":4,"completion_tokens":2}}\n\n';
const done = 'data: [DONE]\n\n';

const writeByBytes = async (socket: Socket, text: string) => {
  socket.setNoDelay();
  for (const byte of Buffer.from(text)) {
    socket.write(Buffer.of(byte));
    await nextTurn();
  }
  socket.end();
};

const flood = (socket: Socket, piece: Buffer, maxBytes: number) => {
  const progress = { writtenBytes: 0 };
  const write = () => {
    while (!socket.destroyed && progress.writtenBytes < maxBytes) {
      progress.writtenBytes += piece.length;
      if (!socket.write(piece)) return socket.once('drain', write);
    }
    return socket.end();
  };
  write();
  return progress;
};

describe('byte-by-byte responses', () => {
  const untidy = [
    '\uFEFF: a comment\r\n\r\n',
    'event: message\r\nid: 7\r\ndata: {"choices":[{"index":0,\r\ndata: "delta":{"content":"né €"}}]}\r\n\r\n',
    ': another\n',
    'retry: 10\ndata:{"choices":[{"index":0,"delta":{"content":"😀"}}]}\n\n',
    `${finish}${usage}${done}`,
  ].join('');

  it('a stream received byte by byte is complete, with byte order mark, comments, all line endings and multi-line data', async () => {
    const { answer, row } = await call((socket) => writeByBytes(socket, streamHead + untidy));
    const text = await answer.text();
    expect(text).toContain('"😀"');
    expect(text.endsWith(done)).toBe(true);
    expect(await row()).toMatchObject({
      status: 'success',
      response: 'né €😀',
      prompt_tokens: 4,
      completion_tokens: 2,
    });
  });

  it('a whole response received byte by byte is read as if it had arrived in one piece', async () => {
    const body = completionText.replace('Hello', 'Grüße 😀');
    const head = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n`;
    const { answer } = await call((socket) => writeByBytes(socket, head + body), false);
    expect((await readCompletion(answer)).choices[0]?.message.content).toBe('Grüße 😀');
  });

  it.each([
    ['a completion', '200 OK', completionText, 'Hello'],
    ['an error', '400 Bad Request', '{"error":{"message":"Not so."}}', 'Not so.'],
  ])('%s that starts with a byte order mark is read without it', async (_, status, text, words) => {
    const body = `\uFEFF${text}`;
    const head = `HTTP/1.1 ${status}\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n`;
    const { answer } = await call((socket) => socket.end(head + body), false);
    expect(answer.status).toBe(Number(status.slice(0, 3)));
    expect(JSON.stringify(JSON.parse(await answer.text()))).toContain(words);
  });
});

describe('broken streams', () => {
  it.each<[name: string, end: (socket: Socket) => unknown]>([
    ['with a FIN in the middle of an event', (socket) => socket.end(delta('b').slice(0, 20))],
    [
      'with a FIN in the middle of a character',
      (socket) => socket.end(Buffer.from(delta('😀')).subarray(0, 52)),
    ],
    ['with a reset', (socket) => socket.resetAndDestroy()],
    ['without a marker of its end', (socket) => socket.end()],
  ])(
    'a stream broken off %s ends with an error without [DONE] and is charged for its output',
    async (_, end) => {
      const { answer, row } = await call((socket) => {
        socket.write(streamHead + delta('a'));
        setTimeout(end, 100, socket);
      });
      const events = await readEvents(answer);
      expect(events).toHaveLength(2);
      expect(JSON.parse(events[1] ?? '').error).toMatchObject({ code: 'upstream_error' });
      expect(await row()).toMatchObject({
        status: 'error',
        response: 'a',
        usage_source: 'partial',
        completion_tokens: 1,
      });
    },
  );
});

describe('endless providers', () => {
  it('a provider is cut off within an event of more than 32 MiB, long before a gigabyte', async () => {
    let progress = { writtenBytes: 0 };
    const before = process.memoryUsage.rss();
    const { answer, row } = await call((socket) => {
      socket.write(`${streamHead}${delta('a')}data: `);
      progress = flood(socket, Buffer.alloc(64 * 1024, 'x'), 1024 * mebibyte);
    });
    const events = await readEvents(answer);
    expect(JSON.parse(events[1] ?? '').error).toMatchObject({ code: 'upstream_invalid_response' });
    expect(progress.writtenBytes).toBeLessThan(64 * mebibyte);
    expect(process.memoryUsage.rss() - before).toBeLessThan(192 * mebibyte);
    expect(await row()).toMatchObject({ status: 'error', completion_tokens: 1 });
  });

  it('a provider is cut off after 256 MiB of comments', async () => {
    let progress = { writtenBytes: 0 };
    const { answer } = await call((socket) => {
      socket.write(streamHead);
      progress = flood(socket, Buffer.from(`: ${'still there '.repeat(5_000)}\n`), 1024 * mebibyte);
    });
    expect([answer.status, (await readError(answer)).code]).toEqual([502, 'upstream_invalid_response']);
    expect(progress.writtenBytes / mebibyte).toBeGreaterThan(255);
    expect(progress.writtenBytes / mebibyte).toBeLessThan(300);
  });

  it('a provider is cut off after a whole response of 32 MiB', async () => {
    let progress = { writtenBytes: 0 };
    const { answer } = await call((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\n\r\n');
      progress = flood(socket, Buffer.alloc(64 * 1024, ' '), 1024 * mebibyte);
    }, false);
    expect([answer.status, (await readError(answer)).code]).toEqual([502, 'upstream_invalid_response']);
    expect(progress.writtenBytes).toBeLessThan(64 * mebibyte);
  });

  it('a provider is cut off within an endless error, before it has sent 32 MiB', async () => {
    let progress = { writtenBytes: 0 };
    const { answer } = await call((socket) => {
      socket.write(
        'HTTP/1.1 400 No\r\ncontent-type: application/json\r\nconnection: close\r\n\r\n{"error":"',
      );
      progress = flood(socket, Buffer.alloc(64 * 1024, 'x'), 1024 * mebibyte);
    }, false);
    expect([answer.status, (await readError(answer)).message]).toEqual([400, 'HTTP 400']);
    expect(progress.writtenBytes).toBeLessThan(32 * mebibyte);
  });

  it('a provider that sends only informational responses times out', async () => {
    const { answer } = await call((socket) => {
      const timer = setInterval(() => socket.write('HTTP/1.1 102 Processing\r\n\r\n'.repeat(100)), 10);
      socket.on('close', () => clearInterval(timer));
    });
    expect([answer.status, (await readError(answer)).code]).toEqual([504, 'upstream_timeout']);
  });
});

describe('providers that repeat the key', () => {
  const said = (code: string) =>
    JSON.stringify({ error: { message: `${providerKey} may not do this`, code } });
  const answerWith = (status: number) => (socket: Socket, request: string) => {
    expect(request).toContain(providerKey);
    const body = said('its_code');
    socket.end(`HTTP/1.1 ${status} No\r\nconnection: close\r\ncontent-length: ${body.length}\r\n\r\n${body}`);
  };

  it.each([400, 401, 403, 404, 422, 429, 500, 503])(
    'a key repeated in a response with status %i is neither sent to the caller nor stored in the row',
    async (status) => {
      const { answer, row } = await call(answerWith(status));
      expect(await answer.text()).not.toContain('canary');
      expect(JSON.stringify(await row())).not.toContain('canary');
    },
  );

  it.each(['', delta('a')])('a key repeated in a stream is redacted after %j', async (start) => {
    const { answer, row } = await call((socket) => socket.end(`${streamHead}${start}data: ${said('x')}\n\n`));
    const text = await answer.text();
    expect(text).toContain('[redacted] may not do this');
    expect(text).not.toContain('canary');
    expect(JSON.stringify(await row())).not.toContain('canary');
  });
});

it('hostile providers log no problems and leave no connection open', async () => {
  const { answer } = await call((socket) => {
    socket.end(`${streamHead}${delta('fine')}${finish}${usage}${done}`);
  });
  expect((await readEvents(answer)).at(-1)).toBe('[DONE]');
  await Promise.all(
    provider.connections.filter(({ destroyed }) => !destroyed).map((socket) => once(socket, 'close')),
  );
  expect(gateway.problems).toEqual([]);
});
