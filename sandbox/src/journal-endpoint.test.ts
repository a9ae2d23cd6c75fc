import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Sandbox, startSandbox } from './start.ts';
import { postChat } from './testing/raw-chat.ts';

let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());

test('the journal endpoint allows other processes to read and clear the journal', async () => {
  const url = `${sandbox.origin}/sandbox/journal`;
  await (await postChat(sandbox.origin, { model: 'sandbox-normal' })).text();
  await (await postChat(sandbox.origin, { model: 'sandbox-echo' })).text();
  const entries = await (await fetch(url)).json();
  expect(entries).toEqual(sandbox.journal.entries());
  expect(entries).toMatchObject([
    { sequence: 1, requestId: null, model: 'sandbox-normal', stream: false, completionTokens: 40 },
    { sequence: 2, requestId: null, model: 'sandbox-echo', stream: false, completionTokens: 2 },
  ]);
  expect((await fetch(url, { method: 'DELETE' })).status).toBe(204);
  expect(await (await fetch(url)).json()).toEqual([]);
  expect((await fetch(url, { method: 'POST' })).status).toBe(405);
});
