import { setTimeout as pause } from 'node:timers/promises';
import { authRoutes, createClient } from '@sluice/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hello, startGateway, type TestGateway } from '#test/console/gateway.ts';
import { openCall } from '#test/load/leaving-caller.ts';
import { type ScriptedProvider, startScriptedProvider } from '#test/providers/scripted-provider.ts';

/** Streams for longer than any test in this file waits. */
const paced = 'sandbox-normal:tokens=6000,interval_ms=5';
const endLimitMs = 5_000;

let provider: ScriptedProvider;
let gateway: TestGateway;
beforeAll(async () => {
  provider = await startScriptedProvider();
  gateway = await startGateway({
    async seed(seed) {
      await seed.addInstance({ name: 'lab', models: [paced], aliases: { paced } });
      await seed.addInstance({ name: 'scripted', models: ['m'], endpoint: `${provider.origin}/v1` });
    },
  });
});
afterAll(async () => {
  await gateway.stop();
  await provider.close();
});

type Person = Awaited<ReturnType<TestGateway['seed']['addPerson']>>;
let peopleCount = 0;

async function addPerson(): Promise<Person> {
  const person = await gateway.seed.addPerson({ name: `person-${++peopleCount}` });
  const headers = { authorization: `Bearer ${person.apiKey}` };
  while ((await fetch(`${gateway.origin}/api/v1/models`, { headers })).status !== 200) await pause(10);
  return person;
}

const withdrawals: Record<string, { statement: string; reason: string }> = {
  'the key is revoked': {
    statement: 'UPDATE api_keys SET revoked_at = now() WHERE user_id = $1',
    reason: 'the API key was revoked or has expired',
  },
  'the user is blocked': {
    statement: "UPDATE users SET is_blocked = true, blocked_reason = 'a test' WHERE id = $1",
    reason: 'the account was blocked: a test',
  },
  'the user is deactivated': {
    statement: 'UPDATE users SET is_active = false WHERE id = $1',
    reason: 'the account was deactivated',
  },
};
const kinds = Object.keys(withdrawals);

async function withdraw(kind: string, { userId }: { userId: number }): Promise<number> {
  await gateway.pool.query(withdrawals[kind]!.statement, [userId]);
  return performance.now();
}

const contents = [{ parts: [{ text: 'Hello' }] }];
const callers: Record<string, { path: string; body: object; end: RegExp }> = {
  'chat completions': {
    path: '/v1/chat/completions',
    body: { messages: hello, stream: true },
    end: /data: \[DONE\]/,
  },
  messages: {
    path: '/v1/messages',
    body: { messages: hello, max_tokens: 9_000, stream: true },
    end: /message_stop/,
  },
  responses: {
    path: '/v1/responses',
    body: { input: 'Hello', stream: true },
    end: /response\.completed/,
  },
  Gemini: {
    path: '/v1beta/models/paced:streamGenerateContent?alt=sse',
    body: { contents },
    end: /finishReason/,
  },
};

async function openStream(caller: string, credential: string) {
  const { path, body } = callers[caller]!;
  const response = await fetch(`${gateway.origin}/api${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${credential}`, 'content-type': 'application/json' },
    body: JSON.stringify(path.includes('paced') ? body : { model: 'paced', ...body }),
  });
  expect(response.status).toBe(200);
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let received = (await reader.read()).value ?? '';
  const rest = (async () => {
    for (let part = await reader.read(); !part.done; part = await reader.read()) received += part.value;
    return received;
  })();
  return { id: response.headers.get('x-request-id')!, rest };
}

describe.concurrent('open streams when access is withdrawn', () => {
  it.for(Object.keys(callers).flatMap((caller) => kinds.map((kind) => ({ caller, kind }))))(
    'an open stream of $caller ends within 5 s after $kind, with the reason, and is charged for its output',
    async ({ caller, kind }) => {
      const person = await addPerson();
      const { id, rest } = await openStream(caller, person.apiKey);
      const takenAtMs = await withdraw(kind, person);
      const received = await rest;
      expect(performance.now() - takenAtMs).toBeLessThan(endLimitMs);
      const lastFrame = received.trimEnd().split('\n\n').at(-1);
      const { reason } = withdrawals[kind]!;
      expect(lastFrame).toContain(reason);
      expect(received).not.toMatch(callers[caller]!.end);
      const row = await gateway.waitForRow(id);
      expect(row).toMatchObject({
        status: 'error',
        http_status: 200,
        error_code: 'access_withdrawn',
        error_message: `This request was canceled: ${reason}. Ask your administrator.`,
        attempts: 1,
        usage_source: 'partial',
      });
      const billed = await gateway.sandbox.journal.waitFor(({ requestId }) => requestId === id);
      expect(billed.outcome).toBe('client_closed');
      // The token count is estimated from the text, so it differs from the provider's.
      expect(row.completion_tokens).toBeGreaterThanOrEqual(billed.completionTokens / 2 - 2);
      expect(row.completion_tokens).toBeLessThanOrEqual(billed.completionTokens * 2 + 2);
      expect(row.prompt_tokens).toBeGreaterThan(0);
    },
  );

  it('ending a session ends its open streams but not those of other users', async () => {
    const { access_token: token } = await createClient(authRoutes, {
      baseUrl: gateway.origin,
      headers: () => ({}),
    }).login({
      form: { username: gateway.admin.email, password: gateway.admin.password },
    });
    const bystander = await addPerson();
    const other = await openStream('chat completions', bystander.apiKey);
    const { rest } = await openStream('chat completions', token);
    await gateway.pool.query('UPDATE sessions SET ended_at = now()');
    expect(await rest).toContain('the session has ended');
    await withdraw('the key is revoked', bystander);
    expect(await other.rest).toContain('the API key was revoked');
  });
});

describe('waiting requests when access is withdrawn', () => {
  it.each([false, true])(
    'a request waiting for the first byte (stream: %s) is cut off when access is withdrawn and charged for its input',
    async (stream) => {
      const called = Promise.withResolvers<void>();
      const hungUp = Promise.withResolvers<void>();
      provider.script = (response) => {
        response.on('close', () => hungUp.resolve());
        called.resolve();
      };
      const person = await addPerson();
      const answer = gateway.complete({ model: 'm', stream }, { apiKey: person.apiKey });
      await called.promise;
      const takenAtMs = await withdraw('the user is blocked', person);
      const response = await answer;
      expect(performance.now() - takenAtMs).toBeLessThan(endLimitMs);
      await hungUp.promise;
      expect(response.status).toBe(403);
      expect(await response.json()).toMatchObject({
        error: {
          type: 'permission_error',
          code: 'access_withdrawn',
          message: expect.stringContaining('a test'),
        },
      });
      expect(await gateway.waitForRow(response.headers.get('x-request-id')!)).toMatchObject({
        status: 'error',
        http_status: 403,
        error_code: 'access_withdrawn',
        attempts: 1,
        usage_source: 'estimated',
        prompt_tokens: expect.toSatisfy((tokens: number) => tokens > 0),
        completion_tokens: 0,
      });
    },
  );

  it('a request still sending its body is rejected when access is withdrawn, before any provider is called', async () => {
    const person = await addPerson();
    const call = openCall({ port: gateway.port, apiKey: person.apiKey }, 'slow-body');
    const answered = Promise.withResolvers<number>();
    call.on('response', (response) => answered.resolve(response.statusCode ?? 0));
    await new Promise<void>((resolve) => call.write('{"model":"m",', () => resolve()));
    await withdraw('the user is blocked', person);
    const headers = { authorization: `Bearer ${person.apiKey}` };
    while ((await fetch(`${gateway.origin}/api/v1/models`, { headers })).status !== 403) await pause(10);
    call.end(`"messages":${JSON.stringify(hello)}}`);
    expect(await answered.promise).toBe(403);
    expect(await gateway.waitForRowOf('slow-body')).toMatchObject({
      status: 'refused',
      http_status: 403,
      error_code: 'access_withdrawn',
      attempts: 0,
    });
  });
});

it('withdrawn access logs no problems', () => {
  expect(gateway.problems).toEqual([]);
});
