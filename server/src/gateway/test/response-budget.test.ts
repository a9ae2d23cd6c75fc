import { once } from 'node:events';
import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hello, startGateway, type TestGateway } from '#test/console/gateway.ts';
import { openCall } from '#test/load/leaving-caller.ts';
import { readEvents } from '#test/requests/answers.ts';
import { listenRaw, type RawServer } from '#upstream/testing/raw-server.ts';

const mebibyte = 1024 * 1024;
const kibibyte = 1024;
const budgetBytes = 256 * mebibyte;

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

const plays = new Map<string, (socket: Socket) => unknown>();
const models = Array.from({ length: 60 }, (_, index) => `m${index}`);

let provider: RawServer;
let gateway: TestGateway;
let small: TestGateway;
let otherKey: string;
beforeAll(async () => {
  provider = await listenRaw((socket, request) =>
    plays.get(/"model":"(m\d+)"/.exec(request)?.[1] ?? '')?.(socket),
  );
  const endpoint = `http://127.0.0.1:${provider.port}/v1`;
  gateway = await startGateway({
    async seed(seed) {
      await seed.addInstance({ name: 'lab', models, endpoint });
      const tenantId = await seed.addTenant('Other');
      await seed.addInstance({ name: 'sandbox', models: ['sandbox-echo'], tenantId });
      await seed.addInstance({ name: 'lab', models, endpoint, tenantId });
      otherKey = (await seed.addPerson({ name: 'other', tenantId })).apiKey;
    },
  });
  small = await startGateway({
    env: { SLUICE_RESPONSE_BUDGET: '1MiB' },
    seed: (seed) => seed.addInstance({ name: 'lab', models, endpoint }),
  });
});
afterAll(async () => {
  await Promise.all([gateway.stop(), small.stop()]);
  await provider.close();
});

const play = (behave: (socket: Socket) => unknown): string => {
  const model = models[plays.size] ?? '';
  plays.set(model, behave);
  return model;
};

const streamHead = 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n';
const jsonHead = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\n\r\n';
const eventStart = 'data: {"choices":[{"index":0,"delta":{"content":"';
const eventEnd = '"}}]}\n\n';
const delta = (content: string) => `${eventStart}${content}${eventEnd}`;
const finish = 'data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n';

async function writeText(socket: Socket, bytes: number): Promise<void> {
  const piece = Buffer.alloc(64 * kibibyte, 'x');
  const happens = (event: string) => once(socket, event).catch(() => undefined);
  const whenClosed = happens('close');
  for (let left = bytes; left > 0 && !socket.destroyed; left -= piece.length)
    if (!socket.write(piece.subarray(0, left))) await Promise.race([happens('drain'), whenClosed]);
}

const heldBytes = () => {
  collectGarbage();
  const { arrayBuffers, heapUsed } = process.memoryUsage();
  return arrayBuffers + heapUsed;
};

describe('40 responses with an event of 31 MiB each', () => {
  const count = 40;
  const sockets: Socket[] = [];
  let sent = 0;
  let outcomes: Promise<{ status: number; retryAfter: string | null; bytes: number; isRefused: boolean }[]>;
  let ended = 0;
  let grownBytes = 0;

  beforeAll(async () => {
    const before = heldBytes();
    const calls = Array.from({ length: count }, async () => {
      const model = play(async (socket) => {
        sockets.push(socket);
        socket.write(streamHead + eventStart);
        await writeText(socket, 31 * mebibyte);
        sent++;
      });
      const { body, headers, status } = await gateway.complete({ model, stream: true });
      let bytes = 0;
      let tail = '';
      for await (const chunk of body ?? []) {
        bytes += chunk.length;
        tail = (tail + Buffer.from(chunk.slice(-1_000)).toString('latin1')).slice(-1_000);
      }
      ended++;
      return {
        status,
        bytes,
        isRefused: tail.includes('response_budget_exceeded'),
        retryAfter: headers.get('retry-after'),
      };
    });
    outcomes = Promise.all(calls);
    const live = () => sockets.filter(({ destroyed }) => !destroyed).length;
    // Wait until every provider has sent its event or has been cut off.
    while (sent < count || ended + live() < count) await pause(20);
    grownBytes = heldBytes() - before;
  });

  it('the worker uses at most its budget plus 64 MiB for 40 large responses', () => {
    expect(grownBytes / mebibyte).toBeLessThan(budgetBytes / mebibyte + 64);
  });

  it("another tenant's requests are served while the response budget is used up", async () => {
    const statuses = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const { status } = await gateway.complete({ model: 'sandbox-echo' }, { apiKey: otherKey });
        return status;
      }),
    );
    expect(new Set(statuses)).toEqual(new Set([200]));
  });

  it("another tenant's long response is served while the response budget is used up", async () => {
    const model = play(async (socket) => {
      socket.write(streamHead + eventStart);
      await writeText(socket, 20 * mebibyte);
      socket.end(eventEnd + finish);
    });
    const answer = await gateway.complete({ model, stream: true }, { apiKey: otherKey });
    const text = await answer.text();
    expect(text.length).toBeGreaterThan(20 * mebibyte);
    expect(text.endsWith('data: [DONE]\n\n')).toBe(true);
  });

  it('responses beyond the budget are errors with retry-after, and the others are complete', async () => {
    for (const socket of sockets) if (!socket.destroyed) socket.end(eventEnd + finish);
    const all = await outcomes;
    const refused = all.filter(({ isRefused }) => isRefused);
    expect(refused.length).toBeGreaterThan(count / 2);
    // A response that has sent a keep-alive comment has status 200, so its error is an event.
    for (const { status, retryAfter } of refused)
      expect([`${status} ${retryAfter}`]).toContainEqual(expect.stringMatching(/^(502 2|200 null)$/));
    const relayed = all.filter(({ isRefused }) => !isRefused);
    expect(relayed.length).toBeGreaterThan(0);
    for (const { bytes } of relayed) expect(bytes).toBeGreaterThan(31 * mebibyte);
  });

  it('the response budget is free again after the responses have ended', async () => {
    const model = play(async (socket) => {
      socket.write(streamHead + eventStart);
      await writeText(socket, 31 * mebibyte);
      socket.end(eventEnd + finish);
    });
    const answer = await gateway.complete({ model, stream: true });
    expect((await answer.text()).length).toBeGreaterThan(31 * mebibyte);
  });
});

const contents = [{ parts: [{ text: 'Hello' }] }];
const callers = {
  'chat completions': (model: string, stream: boolean) => ({
    path: '/v1/chat/completions',
    body: { model, messages: hello, stream },
  }),
  messages: (model: string, stream: boolean) => ({
    path: '/v1/messages',
    body: { model, messages: hello, max_tokens: 9_000, stream },
  }),
  responses: (model: string, stream: boolean) => ({
    path: '/v1/responses',
    body: { model, input: 'Hi', stream },
  }),
  Gemini: (model: string, stream: boolean) => ({
    path: `/v1beta/models/${model}:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
    body: { contents },
  }),
};
const callerNames = Object.keys(callers) as (keyof typeof callers)[];

async function post(path: string, body: object, target = small): Promise<Response> {
  return fetch(`${target.origin}/api${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${target.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

const closed = (socket: Socket) =>
  socket.destroyed ? undefined : once(socket, 'close').catch(() => undefined);

describe.each(callerNames)('a caller of %s', (name) => {
  const ask = (model: string, stream: boolean) => {
    const { path, body } = callers[name](model, stream);
    return post(path, body);
  };
  const rowOf = (answer: Response) => small.waitForRow(answer.headers.get('x-request-id') ?? '');

  it.each([true, false])(
    'a response that exceeds the budget before anything is sent returns an error and aborts the provider call (stream: %s)',
    async (stream) => {
      let socket: Socket | undefined;
      const model = play(async (opened) => {
        socket = opened;
        opened.write(stream ? streamHead + eventStart : `${jsonHead}{"choices":[{"message":{"content":"`);
        await writeText(opened, 4 * mebibyte);
      });
      const answer = await ask(model, stream);
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([502, '2']);
      expect(await answer.text()).toContain('MiB of long responses');
      await closed(socket!);
      const row = await rowOf(answer);
      expect(row).toMatchObject({ status: 'error', error_code: 'response_budget_exceeded' });
      expect(Number(row.prompt_tokens)).toBeGreaterThan(0);
    },
  );

  it('a stream beyond the budget ends with an error, and its output until then is charged', async () => {
    const model = play(async (socket) => {
      socket.write(streamHead + delta('one two three four five') + eventStart);
      await writeText(socket, 4 * mebibyte);
    });
    const answer = await ask(model, true);
    expect(answer.status).toBe(200);
    expect(await answer.text()).toMatch(/five.*MiB of long responses/s);
    const row = await rowOf(answer);
    expect(row).toMatchObject({
      status: 'error',
      error_code: 'response_budget_exceeded',
      response: 'one two three four five',
      completion_tokens: 5,
    });
  });
});

it('text that a translated stream keeps until its end counts toward the budget', async () => {
  const model = play((socket) => {
    socket.write(streamHead);
    for (let written = 0; written < 2 * mebibyte; written += 1_000) socket.write(delta('x'.repeat(1_000)));
    socket.end(finish);
  });
  const { path, body } = callers.responses(model, true);
  const events = await readEvents(await post(path, body));
  expect(events.at(-1)).toContain('MiB of long responses');
  const passed = await small.complete({ model, stream: true });
  expect((await readEvents(passed)).at(-1)).toBe('[DONE]');
});

it('a response whose caller has disconnected counts until its end, and is cut off beyond the budget', async () => {
  const { promise: opened, resolve } = Promise.withResolvers<Socket>();
  const model = play((one) => {
    one.write(streamHead + delta('a'));
    resolve(one);
  });
  const call = openCall(small, 'left-early');
  call.on('error', () => undefined);
  call.end(JSON.stringify({ model, stream: true, messages: hello }));
  const [answer] = await once(call, 'response');
  answer.on('error', () => undefined);
  answer.destroy();
  const socket = await opened;
  socket.write(eventStart);
  await writeText(socket, 4 * mebibyte);
  await closed(socket);
  const later = play((one) => one.end(streamHead + delta('x'.repeat(300 * kibibyte)) + finish));
  expect((await readEvents(await small.complete({ model: later, stream: true }))).at(-1)).toBe('[DONE]');
});

it('responses beyond the budget log no problems', () => {
  expect(small.problems).toEqual([]);
});
