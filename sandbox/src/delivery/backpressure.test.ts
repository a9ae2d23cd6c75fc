import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Sandbox, startSandbox } from '../start.ts';
import { openChat, payloadsOf, postChat } from '../testing/raw-chat.ts';

let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());

const model = 'sandbox-huge:tokens=100000';

test('deliver sends a huge response completely', async () => {
  const response = await postChat(sandbox.origin, { model: 'sandbox-huge', stream: true });
  expect(payloadsOf(await response.text())).toHaveLength(20_000 + 3);
});

test('deliver generates less than 60% of a response for clients that stop reading, and keeps less than half of it in memory', async () => {
  const requestIds = Array.from({ length: 12 }, (_, index) => `idle-${index}`);
  const memoryBefore = process.memoryUsage().rss;
  const sockets = requestIds.map((requestId) =>
    openChat(sandbox.origin, { model, stream: true }, requestId).pause(),
  );
  await Promise.all(sockets.map((socket) => once(socket, 'readable')));

  // A client that reads continuously receives all tokens in the same time, so only backpressure limited the idle
  // clients.
  const eager = await postChat(sandbox.origin, { model, stream: true });
  let eagerBytes = 0;
  for await (const chunk of eager.body ?? []) eagerBytes += chunk.length;
  const memoryGrown = process.memoryUsage().rss - memoryBefore;

  for (const socket of sockets) socket.destroy();
  const entries = await Promise.all(
    requestIds.map((wanted) => sandbox.journal.waitFor(({ requestId }) => requestId === wanted)),
  );
  for (const { outcome, completionTokens } of entries) {
    expect(outcome).toBe('client_closed');
    expect(completionTokens).toBeLessThan(60_000);
  }
  expect(memoryGrown).toBeLessThan((entries.length * eagerBytes) / 2);
});
