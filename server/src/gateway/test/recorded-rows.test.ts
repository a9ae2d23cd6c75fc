import { defaultDeviationPolicy, toNanoUsd } from '@sluice/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createSystemDatabase } from '#db/system.ts';
import { defaultTimeouts } from '#gateway/provider-call/provider-timeouts.ts';
import { postEntries } from '#ledger/post.ts';
import { hello, startGateway, type TestGateway } from '#test/console/gateway.ts';
import type { NewPerson, Seeder } from '#test/database/seed.ts';
import { leaveMidAnswer } from '#test/load/leaving-caller.ts';
import {
  answerCompletion,
  answerStream,
  answerWith,
  completionText,
  messageText,
  type Script,
  type ScriptedProvider,
  startScriptedProvider,
} from '#test/providers/scripted-provider.ts';
import type { RequestRow } from '#test/requests/request-rows.ts';

interface Scenario {
  readonly person?: Omit<NewPerson, 'name' | 'tenantId'>;
  readonly tenant?: 'strict' | 'broke';
  readonly set?: string;
  readonly path?: string;
  readonly body?: object | string;
  readonly headers?: Record<string, string>;
  readonly script?: Script;
  /** Text after which the caller disconnects. */
  readonly leavesAt?: RegExp;
  readonly leavesBeforeAnswer?: true;
  readonly isBlockedMidAnswer?: true;
  readonly isCrowded?: true;
}

const stall: Script = () => undefined;
const failure = (status: number) => answerWith(status, JSON.stringify({ error: { message: 'It failed.' } }));
const chunk = (delta: object, more: object = {}) =>
  `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta, finish_reason: null }], ...more })}\n\n`;
const pieces = chunk({ role: 'assistant', content: 'Hello' }) + chunk({ content: ' you' });
const usage = `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [], usage: { prompt_tokens: 20, completion_tokens: 30 } })}\n\n`;
const finish = `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })}\n\n`;
const stream = { model: 'm', stream: true };
const wish = 'Tell me a bedtime story about a dragon who is afraid of the dark and lives alone on a hill';

const scenarios: Readonly<Record<string, Scenario>> = {
  'authenticate: a blocked person': { set: "is_blocked = true, blocked_reason = 'a test'" },
  'authenticate: a key without the scope': { person: { scopes: ['models'] } },
  'enter: too many at once': { isCrowded: true },
  'parse: no JSON': { body: '{"model":' },
  'parse: a field twice': { body: '{"model":"m","model":"m","messages":[]}' },
  'parse: a field of the wrong type': { body: { model: 7 } },
  'parse: a compressed body': { headers: { 'content-encoding': 'gzip' } },
  'parse: too large a body': { body: { messages: [{ role: 'user', content: 'x'.repeat(300_000) }] } },
  'bind-task: no task': { person: { role: 'user', hasNoTask: true } },
  'bind-task: a task that is not theirs': { body: { model: 'm', task_id: 9_999 } },
  'authorize: an unknown model': { body: { model: 'nothing' } },
  'classify: refused by the policy': {
    tenant: 'strict',
    body: { messages: [{ role: 'user', content: wish }] },
  },
  'plan: what the provider cannot carry': { body: { model: 'claude', n: 3 } },
  'admit: no requests left': { set: 'requests_per_hour = 0' },
  'admit: no tokens left': { set: 'daily_quota = 10' },
  'admit: no credits': { tenant: 'broke', body: { model: 'paid' } },
  'attempt: refused by the provider': { script: failure(400) },
  'attempt: the key refused by the provider': { script: failure(401) },
  'attempt: rate limited by the provider': { script: failure(429) },
  'attempt: a failing provider': { script: failure(500) },
  'attempt: a provider that nobody reaches': { body: { model: 'gone' } },
  'attempt: a second instance after the first': { body: { model: 'both' }, script: failure(500) },
  'attempt: no answer in time': { script: stall },
  'attempt: the caller leaves': { script: stall, leavesBeforeAnswer: true },
  'relay: an answer that is no completion': { script: answerWith(200, '{"hello":1}') },
  'relay: a stream of the wrong type': {
    body: stream,
    script: answerWith(200, '<html></html>', { 'content-type': 'text/html' }),
  },
  'relay: a stream that breaks': { body: stream, script: answerStream(pieces) },
  'relay: a stream that fails': {
    body: stream,
    script: answerStream(`${pieces}data: {"error":{"message":"It failed.","code":500}}\n\n`),
  },
  'relay: the caller leaves mid-stream': {
    body: stream,
    script: answerStream(pieces, { end: false }),
    leavesAt: / you/,
  },
  'relay: access withdrawn mid-stream': {
    body: stream,
    script: answerStream(pieces, { end: false }),
    isBlockedMidAnswer: true,
  },
  'success: whole': {},
  'success: without usage': {
    script: answerWith(200, JSON.stringify({ ...JSON.parse(completionText), usage: undefined })),
  },
  'success: more output than was held': {
    set: 'daily_quota = 100000',
    body: { model: 'm', max_tokens: 10 },
    script: answerWith(
      200,
      JSON.stringify({ ...JSON.parse(completionText), usage: { prompt_tokens: 2, completion_tokens: 900 } }),
    ),
  },
  'success: minimal': { body: { model: 'm', format: 'minimal' } },
  'success: translated': { body: { model: 'claude' }, script: answerWith(200, messageText) },
  'success: a stream': { body: stream, script: answerStream(`${pieces}${finish}${usage}data: [DONE]\n\n`) },
  'success: a stream without usage': {
    body: stream,
    script: answerStream(`${pieces}${finish}data: [DONE]\n\n`),
  },
  'success: paid with credits': { body: { model: 'paid' } },
  'success: for a task': { person: { role: 'user' } },
  'success: a long body': { body: { messages: [{ role: 'user', content: 'many words '.repeat(9_000) }] } },
  'success: embeddings': {
    path: '/embeddings',
    body: { model: 'm', input: 'Hello there' },
    script: answerWith(
      200,
      '{"object":"list","model":"m","data":[{"object":"embedding","index":0,"embedding":[1,2]}],"usage":{"prompt_tokens":4,"total_tokens":4}}',
    ),
  },
  'count: by the provider': {
    path: '/messages/count_tokens',
    body: { model: 'claude' },
    script: answerWith(200, '{"input_tokens":41}'),
  },
  'count: estimated': { path: '/messages/count_tokens', body: { model: 'claude' }, script: failure(500) },
  'count: refused by the provider': {
    path: '/messages/count_tokens',
    body: { model: 'claude' },
    script: failure(400),
  },
  'count: no requests left': {
    set: 'requests_per_hour = 0',
    path: '/messages/count_tokens',
    body: { model: 'claude' },
  },
};

const inFlightMax = 3;
let provider: ScriptedProvider;
let gateway: TestGateway;
const people = new Map<string, { userId: number; apiKey: string }>();

beforeAll(async () => {
  provider = await startScriptedProvider();
  const gone = await startScriptedProvider();
  await gone.close();
  gateway = await startGateway({
    // The scripted provider stops after a disconnect, so reading the rest of a response would only wait.
    env: {
      SLUICE_CONCURRENCY: String(inFlightMax),
      SLUICE_BODY_LIMIT: '200000',
      SLUICE_ABANDONED_TIMEOUT: '0',
    },
    timeouts: { retriesMax: 1, nonStreaming: { ...defaultTimeouts.nonStreaming, firstByteMs: 800 } },
    async seed(seed) {
      const strict = await seed.addTenant('Strict');
      const broke = await seed.addTenant('Broke');
      const thresholds = { elevated: 0.01, high: 0.02, block: 0.08 };
      await seed.pool.query('UPDATE tenants SET deviation_policy = $1 WHERE id = $2', [
        { ...defaultDeviationPolicy, mode: 'block', thresholds },
        strict,
      ]);
      const own = await addInstances(seed, gone.origin, { strict, broke });
      for (const [name, scenario] of Object.entries(scenarios)) {
        const tenantId = { strict, broke, own: seed.tenantId }[scenario.tenant ?? 'own'];
        people.set(name, await addSender(seed, scenario, tenantId, own));
      }
    },
  });
});
afterAll(async () => {
  await gateway.stop();
  await provider.close();
});

async function addInstances(
  seed: Seeder,
  goneOrigin: string,
  { strict, broke }: { strict: number; broke: number },
): Promise<number> {
  const endpoint = `${provider.origin}/v1`;
  const own = await seed.addInstance({ name: 'scripted', models: ['m', 'both'], endpoint, isDefault: true });
  await seed.addInstance({ name: 'second', models: ['both'], endpoint });
  await seed.addInstance({ name: 'strict', models: ['m'], endpoint, tenantId: strict });
  await seed.addInstance({ name: 'nowhere', models: ['gone'], endpoint: `${goneOrigin}/v1` });
  const claude = { name: 'claude', providerKey: 'anthropic', models: ['claude'] };
  await seed.addInstance({ ...claude, endpoint: provider.origin });
  await addPrice(seed, seed.tenantId, own, 'm');
  for (const tenantId of [seed.tenantId, broke]) {
    const managed = await seed.addInstance({ name: 'managed', models: ['paid'], endpoint, tenantId });
    await seed.pool.query('UPDATE llm_providers SET is_service_managed = true WHERE id = $1', [managed]);
    await addPrice(seed, tenantId, managed, 'paid');
  }
  await createSystemDatabase(seed.pool).transaction((tx) =>
    postEntries(tx, [
      {
        tenantId: seed.tenantId,
        kind: 'recharge',
        amount: toNanoUsd(1),
        source: 'test',
        description: 'test',
        actorId: null,
      },
    ]),
  );
  return own;
}

function addPrice({ pool }: Seeder, tenantId: number, instanceId: number, model: string) {
  return pool.query(
    `INSERT INTO price_overrides (tenant_id, llm_provider_id, model, price) VALUES ($1, $2, $3, '{"input":3,"output":15}')`,
    [tenantId, instanceId, model],
  );
}

async function addSender(seed: Seeder, { person, set }: Scenario, tenantId: number, instanceId: number) {
  const added = await seed.addPerson({ name: `person-${people.size}`, tenantId, ...person });
  if (set) await seed.pool.query(`UPDATE users SET ${set} WHERE id = $1`, [added.userId]);
  if (person?.role === 'user')
    await seed.pool.query(
      'INSERT INTO user_provider_access (tenant_id, user_id, llm_provider_id, allowed_models) VALUES ($1, $2, $3, $4)',
      [tenantId, added.userId, instanceId, ['m']],
    );
  return added;
}

it('the row of a request that ends in any stage, or succeeds, matches its recording', async () => {
  const ids: [name: string, clientRequestId: string][] = [];
  for (const [name, scenario] of Object.entries(scenarios)) ids.push([name, await play(name, scenario)]);
  let lines = '';
  for (const [name, id] of ids)
    lines += `${JSON.stringify({ name, ...toGolden(await gateway.waitForRowOf(id)) })}\n`;
  await expect(lines).toMatchFileSnapshot('recorded-rows.jsonl');
}, 60_000);

async function play(name: string, scenario: Scenario): Promise<string> {
  const { path = '/chat/completions', body = {}, headers, script, ...end } = scenario;
  const { apiKey, userId } = people.get(name)!;
  const clientRequestId = name.replaceAll(/[^a-z]+/g, '-');
  const called = Promise.withResolvers<void>();
  provider.script = (response, call) => {
    called.resolve();
    (script ?? answerCompletion())(response, call);
  };
  const whole = typeof body === 'string' ? body : JSON.stringify({ model: 'm', messages: hello, ...body });
  if (end.leavesAt) {
    const port = gateway.port;
    await leaveMidAnswer({ ...gateway, port, apiKey }, JSON.parse(whole), clientRequestId, (received) =>
      (end.leavesAt ?? / /).test(received),
    );
    return clientRequestId;
  }
  const leaving = new AbortController();
  const send = (id: string) =>
    fetch(`${gateway.origin}/api/v1${path}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${apiKey}`,
        'content-type': 'application/json',
        'x-request-id': id,
        ...headers,
      },
      body: whole,
      signal: leaving.signal,
    });
  const crowd = end.isCrowded ? await fillSlots(send) : [];
  const answering = send(clientRequestId);
  if (end.leavesBeforeAnswer) {
    await called.promise;
    leaving.abort();
  }
  const answer = await answering.catch(() => null);
  if (end.isBlockedMidAnswer)
    await gateway.pool.query("UPDATE users SET is_blocked = true, blocked_reason = 'a test' WHERE id = $1", [
      userId,
    ]);
  await answer?.text();
  leaving.abort();
  await Promise.allSettled(crowd);
  return clientRequestId;
}

async function fillSlots(send: (id: string) => Promise<Response>): Promise<Promise<Response>[]> {
  provider.script = () => undefined;
  const callsBefore = provider.calls.length;
  const crowd = Array.from({ length: inFlightMax }, (_, index) => send(`crowd-${index}`));
  await expect.poll(() => provider.calls.length - callsBefore).toBe(inFlightMax);
  return crowd;
}

function toGolden(row: RequestRow): object {
  const isVolatile = /^(id|.*_id|received_at|.*_ms|.*score.*|intent_classification|deviation_receipts)$/;
  return Object.fromEntries(
    Object.entries(row).map(([column, value]) => {
      if (column === 'provider_calls') return [column, value === null ? null : toGoldenCalls(value)];
      if (isVolatile.test(column)) return [column, value === null ? null : 'set'];
      if (typeof value !== 'string') return [column, Buffer.isBuffer(value) ? value.toString('hex') : value];
      const text = value.length > 400 ? `${value.slice(0, 40)}... (${value.length})` : value;
      return [
        column,
        text
          .replaceAll(/\d+\.\d+\.\d+\.\d+:\d+/g, '<address>')
          .replaceAll(/\d{4}-\d\d-\d\dT.*?\)/g, '<time>)'),
      ];
    }),
  );
}

function toGoldenCalls(calls: unknown): unknown {
  const text = JSON.stringify(calls).replaceAll(/("\w+_ms":)[\d.]+/g, '$1"set"');
  return JSON.parse(text.replaceAll(/\d+\.\d+\.\d+\.\d+:\d+/g, '<address>'));
}
