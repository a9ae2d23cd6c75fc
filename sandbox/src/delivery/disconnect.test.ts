import { once } from 'node:events';
import type { Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Sandbox, startSandbox } from '../start.ts';
import { openChat, postChat } from '../testing/raw-chat.ts';

let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());

function entryOf(requestId: string) {
  return sandbox.journal.waitFor((entry) => entry.requestId === requestId);
}

async function readUntil(socket: Socket, pattern: RegExp): Promise<void> {
  let text = '';
  while (!pattern.test(text)) {
    const [chunk] = await once(socket, 'data');
    text += chunk;
  }
}

const twoTokens = /("content":"[^"]+".*){2}/s;

test('deliver bills a client that leaves a stalled stream for exactly the tokens that were sent', async () => {
  const socket = openChat(sandbox.origin, { model: 'sandbox-stall:fault_after=2', stream: true }, 'stalled');
  await readUntil(socket, twoTokens);
  socket.destroy();
  expect(await entryOf('stalled')).toMatchObject({
    outcome: 'client_closed',
    completionTokens: 2,
    promptTokens: 2,
  });
});

test('deliver stops generating as soon as a client disconnects between two tokens', async () => {
  const model = 'sandbox-normal:interval_ms=60000';
  const socket = openChat(sandbox.origin, { model, stream: true }, 'waiting');
  await readUntil(socket, /"content":"[^"]+"/);
  socket.destroy();
  expect(await entryOf('waiting')).toMatchObject({ outcome: 'client_closed', completionTokens: 1 });
});

test('deliver stops generating long before the end of the response when a client disconnects', async () => {
  const model = 'sandbox-normal:tokens=100000,interval_ms=1';
  const socket = openChat(sandbox.origin, { model, stream: true }, 'flowing');
  await readUntil(socket, twoTokens);
  socket.destroy();
  const { outcome, completionTokens } = await entryOf('flowing');
  expect(outcome).toBe('client_closed');
  expect(completionTokens).toBeGreaterThanOrEqual(2);
  expect(completionTokens).toBeLessThan(50_000);
});

test.each([
  ['sandbox-stall', 'never'],
  ['sandbox-normal:tokens=100000,interval_ms=60000', 'slowly'],
  ['sandbox-normal:first_byte_ms=600000', 'late'],
])(
  'deliver bills no completion to a client that disconnects before the body of %s',
  async (model, requestId) => {
    const socket = openChat(sandbox.origin, { model }, requestId);
    await once(socket, 'connect');
    // The response to a later request proves that the earlier request was started.
    await postChat(sandbox.origin, { model: 'sandbox-normal' });
    socket.destroy();
    expect(await entryOf(requestId)).toMatchObject({
      outcome: 'client_closed',
      completionTokens: 0,
      promptTokens: 2,
    });
  },
);

test('deliver does not journal a request whose body never arrives completely', async () => {
  sandbox.journal.clear();
  const socket = openChat(sandbox.origin, { model: 'sandbox-normal' }, 'whole');
  await entryOf('whole');
  socket.write(
    'POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\nauthorization: Bearer x\r\ncontent-length: 99\r\n\r\n{',
  );
  socket.destroy();
  await postChat(
    sandbox.origin,
    { model: 'sandbox-normal' },
    { headers: { 'x-client-request-id': 'after' } },
  );
  await entryOf('after');
  expect(sandbox.journal.entries().map(({ requestId }) => requestId)).toEqual(['whole', 'after']);
});

test('sandbox.close cuts responses in progress and resolves', async () => {
  const closing = await startSandbox();
  const response = await postChat(closing.origin, { model: 'sandbox-stall', stream: true });
  const broken = expect(response.text()).rejects.toThrow();
  await closing.close();
  await broken;
  await closing.journal.waitFor(({ model }) => model === 'sandbox-stall');
});

test('journal entries include the request parameters and the time of processing', async () => {
  const before = Date.now();
  const socket = openChat(
    sandbox.origin,
    { model: 'sandbox-normal:first_byte_ms=20', stream: true },
    'timed',
  );
  const entry = await entryOf('timed');
  socket.destroy();
  expect(entry).toEqual({
    sequence: expect.any(Number),
    requestId: 'timed',
    model: 'sandbox-normal:first_byte_ms=20',
    protocol: 'openai-chat',
    operation: 'generate',
    stream: true,
    promptTokens: 2,
    cachedTokens: 0,
    cacheWriteTokens: 0,
    completionTokens: 40,
    reasoningTokens: 0,
    bodyBytes: expect.any(Number),
    frames: [
      { count: 1, tokensEach: 0 },
      { count: 40, tokensEach: 1 },
      { count: 2, tokensEach: 0 },
    ],
    outcome: 'completed',
    startedAt: expect.any(Number),
    endedAt: expect.any(Number),
  });
  expect(entry.startedAt).toBeGreaterThanOrEqual(before);
  expect(entry.endedAt - entry.startedAt).toBeGreaterThanOrEqual(15);
});
