import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Sandbox, startSandbox } from '../start.ts';
import { payloadsOf, postChat, readBroken } from '../testing/raw-chat.ts';

let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());

let asked = 0;

/** Sends a request with a unique request id, which identifies the journal entry. */
async function ask(model: string, stream: boolean, options: object = {}) {
  const requestId = `fault-${++asked}`;
  const headers = { 'x-client-request-id': requestId };
  const response = await postChat(sandbox.origin, { model, stream, ...options }, { headers });
  const entry = () => sandbox.journal.waitFor((candidate) => candidate.requestId === requestId);
  return { response, entry };
}

function deltasOf(text: string): string[] {
  return payloadsOf(text).flatMap((payload) => {
    const content = JSON.parse(payload).choices[0]?.delta.content;
    return content ? [content] : [];
  });
}

test('sandbox-reset breaks a stream after whole tokens, all of which arrive', async () => {
  const { response, entry } = await ask('sandbox-reset:fault_after=3', true);
  const { text, isWhole } = await readBroken(response);
  expect(isWhole).toBe(false);
  expect(deltasOf(text)).toHaveLength(3);
  expect(await entry()).toMatchObject({
    outcome: 'reset',
    completionTokens: 3,
    promptTokens: 2,
    stream: true,
  });
});

test('sandbox-reset breaks a body in its middle and bills no completion', async () => {
  const { response, entry } = await ask('sandbox-reset', false);
  const { text, isWhole } = await readBroken(response);
  expect(isWhole).toBe(false);
  expect(text).toMatch(/^{"id":/);
  expect(await entry()).toMatchObject({
    outcome: 'reset',
    completionTokens: 0,
    promptTokens: 2,
    stream: false,
  });
});

test('sandbox-truncated ends a stream cleanly without finish reason, usage and end mark', async () => {
  const options = { stream_options: { include_usage: true } };
  const { response, entry } = await ask('sandbox-truncated', true, options);
  const { text, isWhole } = await readBroken(response);
  expect(isWhole).toBe(true);
  expect(deltasOf(text)).toHaveLength(4);
  expect(text).not.toContain('[DONE]');
  expect(text).not.toMatch(/"finish_reason":"|"prompt_tokens"/);
  expect(await entry()).toMatchObject({ outcome: 'truncated', completionTokens: 4 });
});

test('sandbox-truncated sends half of its JSON as a body', async () => {
  const { response, entry } = await ask('sandbox-truncated', false);
  const text = await response.text();
  expect(response.status).toBe(200);
  expect(() => JSON.parse(text)).toThrow(SyntaxError);
  expect(await entry()).toMatchObject({ outcome: 'truncated', completionTokens: 0 });
});

test('sandbox-garbage returns an HTML page instead of a body', async () => {
  const { response, entry } = await ask('sandbox-garbage', false);
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toContain('text/html');
  expect(await response.text()).toContain('<html>');
  expect(await entry()).toMatchObject({ outcome: 'refused', completionTokens: 0 });
});

test('sandbox-garbage sends an event that is not JSON after the configured number of valid tokens', async () => {
  const { response, entry } = await ask('sandbox-garbage:fault_after=2', true);
  const payloads = payloadsOf(await response.text());
  const broken = payloads.pop() ?? '';
  expect(() => JSON.parse(broken)).toThrow(SyntaxError);
  expect(payloads.map((payload) => JSON.parse(payload))).toHaveLength(3);
  expect(await entry()).toMatchObject({ outcome: 'truncated', completionTokens: 2 });
});

test('sandbox-stream-error ends a stream with an error in its format, and returns an error body otherwise', async () => {
  const streamed = await ask('sandbox-stream-error:fault_after=2', true);
  const payloads = payloadsOf(await streamed.response.text()).map((payload) => JSON.parse(payload));
  expect(payloads.at(-1)).toMatchObject({ error: { type: 'server_error', code: null } });
  expect(payloads).toHaveLength(4);
  expect(await streamed.entry()).toMatchObject({ outcome: 'truncated', completionTokens: 2 });
  const whole = await ask('sandbox-stream-error', false);
  expect(whole.response.status).toBe(500);
  expect(await whole.entry()).toMatchObject({ outcome: 'refused', promptTokens: 0 });
});

test('journal entries include the number of bytes sent and the tokens of each event', async () => {
  const { response, entry } = await ask('sandbox-reasoning:tokens=3', true);
  const bytes = await response.bytes();
  const { bodyBytes, frames, ...billed } = await entry();
  expect(bodyBytes).toBe(bytes.length);
  expect(frames).toEqual([
    { count: 1, tokensEach: 24 },
    { count: 3, tokensEach: 1 },
    { count: 2, tokensEach: 0 },
  ]);
  expect(billed).toMatchObject({ completionTokens: 27, reasoningTokens: 24 });
});

test('sandbox-no-usage sends no usage in a stream even when requested, and none in a body', async () => {
  const options = { stream_options: { include_usage: true } };
  const streamed = await ask('sandbox-no-usage', true, options);
  const text = await streamed.response.text();
  expect(text).not.toContain('"usage"');
  expect(text).toContain('[DONE]');
  expect(await streamed.entry()).toMatchObject({ outcome: 'completed', completionTokens: 40 });
  const whole = await ask('sandbox-no-usage', false);
  expect(await whole.response.json()).not.toHaveProperty('usage');
});

test.each(['sandbox-rate-limited', 'sandbox-error-500', 'sandbox-overloaded', 'sandbox-refuse-key'])(
  '%s is journaled as refused and bills nothing',
  async (model) => {
    const { entry } = await ask(model, true);
    expect(await entry()).toMatchObject({ model, outcome: 'refused', promptTokens: 0, completionTokens: 0 });
  },
);

test('a raw stream consists of events with one data line each and ends with its end mark', async () => {
  const { response } = await ask('sandbox-normal:tokens=2', true);
  expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  const text = await response.text();
  expect(text).toMatch(/^(data: {[^\n]*}\n\n){4}data: \[DONE\]\n\n$/);
});

test('a complete response announces its length in bytes', async () => {
  const messages = [{ role: 'user', content: 'Größe 👍' }];
  const { response } = await ask('sandbox-echo', false, { messages });
  const bytes = await response.bytes();
  expect(Number(response.headers.get('content-length'))).toBe(bytes.length);
});
