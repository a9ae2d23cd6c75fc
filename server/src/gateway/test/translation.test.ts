import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { hello, startGateway, type TestGateway } from '#test/console/gateway.ts';
import { addPlainVendor, type PlainRequest } from '#test/providers/plain-protocol.ts';
import {
  answerCompletion,
  answerWith,
  completionText,
  type ScriptedProvider,
  startScriptedProvider,
} from '#test/providers/scripted-provider.ts';
import { readCompletion, readError } from '#test/requests/answers.ts';

const answer = {
  id: 'plain-1',
  model: 'plain-model-7',
  createdAtSeconds: 5,
  choices: [
    {
      parts: [
        { type: 'reasoning', text: 'Hm', isRedacted: false },
        { type: 'text', text: 'Hello' },
        { type: 'tool-call', id: 'c1', name: 'f', arguments: '{"a":1}' },
      ],
      finish: { reason: 'tool-calls', native: 'STOP' },
    },
  ],
  usage: { inputTokens: 7, cacheReadTokens: 2, cacheWriteTokens: 1, outputTokens: 5, reasoningTokens: 3 },
};
const answerPlainly = answerWith(200, JSON.stringify(answer));

let plain: ScriptedProvider;
let own: ScriptedProvider;
let gateway: TestGateway;
beforeAll(() => addPlainVendor('plain', 'gemini', 'sse'));
beforeAll(async () => {
  [plain, own] = await Promise.all([startScriptedProvider(), startScriptedProvider()]);
  gateway = await startGateway({
    timeouts: { retriesMax: 0 },
    async seed(seed) {
      await seed.addTasks(5, 7);
      const endpoint = plain.origin;
      await seed.addInstance({
        name: 'plain',
        providerKey: 'plain',
        models: ['m', 'both', 'other'],
        endpoint,
      });
      await seed.addInstance({ name: 'own', models: ['both', 'late'], endpoint: `${own.origin}/v1` });
      await seed.addInstance({ name: 'again', providerKey: 'plain', models: ['late'], endpoint });
    },
  });
});
beforeEach(() => {
  plain.calls.length = 0;
  own.calls.length = 0;
  plain.script = answerPlainly;
  own.script = answerCompletion();
});
afterAll(async () => {
  await gateway.stop();
  await Promise.all([plain.close(), own.close()]);
});

const call = async (body: object) => {
  const response = await gateway.complete({ model: 'm', ...body });
  const row = () => gateway.waitForRow(response.headers.get('x-request-id') ?? '');
  return { response, row };
};
const received = (): PlainRequest => JSON.parse(plain.calls.at(-1)?.body.toString() ?? '');

describe('provider of another protocol', () => {
  it('a provider of another protocol gets the request in its own protocol, with its own authentication and URL', async () => {
    const { response } = await call({
      max_tokens: 9,
      messages: [{ role: 'system', content: 'a' }, ...hello],
      task_id: 5,
    });
    await response.text();
    const [sent] = plain.calls;
    expect(sent?.path).toBe('/v1/plain/m/whole');
    expect(sent?.headers).toMatchObject({
      authorization: 'Bearer sk-test-provider-key',
      accept: 'application/json',
      'content-type': 'application/json',
      'x-client-request-id': response.headers.get('x-request-id'),
    });
    expect(received()).toEqual({
      request: {
        messages: [
          { role: 'system', parts: [{ type: 'text', text: 'a' }] },
          { role: 'user', parts: [{ type: 'text', text: 'Hello there' }] },
        ],
        tools: [],
        outputTokensMax: 9,
        stop: [],
        sampling: {},
        extensions: [],
      },
      target: {
        model: 'm',
        isStream: false,
        defaultOutputTokensMax: 32_000,
        dialect: {},
        isReasoningModel: false,
        isAccountShared: false,
      },
    });
  });

  it("a provider of another protocol does not get the caller's API key", async () => {
    await call({});
    expect(JSON.stringify(plain.calls)).not.toContain(gateway.apiKey);
  });

  it("a response in another protocol is returned in the caller's protocol, and its row has the text", async () => {
    const { response, row } = await call({});
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(await readCompletion(response)).toEqual({
      id: 'plain-1',
      object: 'chat.completion',
      created: 5,
      model: 'plain-model-7',
      choices: [
        {
          index: 0,
          message: {
            role: 'assistant',
            content: 'Hello',
            refusal: null,
            reasoning_content: 'Hm',
            tool_calls: [{ id: 'c1', type: 'function', function: { name: 'f', arguments: '{"a":1}' } }],
          },
          logprobs: null,
          finish_reason: 'tool_calls',
        },
      ],
      usage: {
        prompt_tokens: 10,
        completion_tokens: 5,
        total_tokens: 15,
        prompt_tokens_details: { cached_tokens: 2, cache_write_tokens: 1 },
        completion_tokens_details: { reasoning_tokens: 3 },
      },
    });
    expect(await row()).toMatchObject({
      status: 'success',
      http_status: 200,
      provider_key: 'plain',
      provider_instance_name: 'plain',
      model: 'm',
      attempts: 1,
      prompt_tokens: 10,
      cache_read_tokens: 2,
      completion_tokens: 5,
      reasoning_tokens: 3,
      usage_source: 'provider',
      response: 'Hello',
    });
  });

  it('a response in another protocol without id and model gets an id and model from the gateway', async () => {
    plain.script = answerWith(
      200,
      JSON.stringify({ ...answer, id: null, model: null, createdAtSeconds: null }),
    );
    const { response } = await call({});
    const completion = await readCompletion(response);
    expect(completion).toMatchObject({ id: `chatcmpl-${response.headers.get('x-request-id')}`, model: 'm' });
    expect(Math.abs(Date.now() / 1000 - (completion as unknown as { created: number }).created)).toBeLessThan(
      60,
    );
  });

  it('a response in another protocol has five fields for format "minimal"', async () => {
    const { response } = await call({ format: 'minimal', task_id: 7 });
    expect(JSON.parse(await response.text())).toEqual({
      content: 'Hello',
      model: 'plain-model-7',
      usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
      task_id: 7,
      remaining_tokens: null,
    });
  });

  it.each<[name: string, script: ReturnType<typeof answerWith>]>([
    ['something else', answerWith(200, '<html></html>')],
    ['nothing', answerWith(200, '')],
  ])('a provider of another protocol that returns %s causes a 502', async (_, script) => {
    plain.script = script;
    const { response, row } = await call({});
    expect([response.status, (await readError(response)).code]).toEqual([502, 'upstream_invalid_response']);
    expect(await row()).toMatchObject({ status: 'error', completion_tokens: 0 });
  });
});

describe('unsupported fields', () => {
  it('unsupported fields are listed as a warning in one header', async () => {
    const { response } = await call({ seed: 7, service_tier: 'flex', 'x-é,\n': 1 });
    expect(response.headers.get('x-sluice-warning')).toBe('seed, service_tier, x-?;?');
    expect(response.status).toBe(200);
  });

  it('the warning for unsupported fields has fewer than 1,010 characters', async () => {
    const many = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`field_${index}`, 1]));
    const { response } = await call(many);
    const warning = response.headers.get('x-sluice-warning') ?? '';
    expect(warning.length).toBeLessThan(1_010);
    expect(warning).toMatch(/^field_0, field_1, .*, field_\d+, \.\.\.$/);
  });

  it('the warning header is absent without unsupported fields and on pass-through', async () => {
    expect((await call({})).response.headers.has('x-sluice-warning')).toBe(false);
    const { response } = await call({ model: 'own/both', seed: 7, service_tier: 'flex' });
    expect(response.headers.has('x-sluice-warning')).toBe(false);
  });

  it('an unsupported field that would change the response causes a rejection with one row and no provider call', async () => {
    const { row } = await call({ n: 2 });
    expect(await row()).toMatchObject({ status: 'refused', error_code: 'invalid_request', attempts: 0 });
    expect(plain.calls).toEqual([]);
  });

  it.each<[body: object, param: string]>([
    [{ n: 2 }, 'n'],
    [{ functions: [{ name: 'f' }] }, 'functions'],
    [{ messages: [{ role: 'user', content: [{ type: 'video_url' }] }] }, 'messages[0].content[0].type'],
  ])(
    'an unsupported field that would change the response causes a 400 that names it: %j',
    async (body, param) => {
      const { response } = await call(body);
      expect(response.status).toBe(400);
      expect(await readError(response)).toMatchObject({
        type: 'invalid_request_error',
        code: 'invalid_request',
        param,
      });
      expect(plain.calls).toEqual([]);
    },
  );

  it('a request with an unsupported field goes to an instance that supports it, if there is one', async () => {
    const { response, row } = await call({ model: 'both', n: 2 });
    expect(await response.text()).toBe(completionText);
    expect(await row()).toMatchObject({ provider_instance_name: 'own', attempts: 1, status: 'success' });
    expect(plain.calls).toEqual([]);
  });
});

describe('fallback between protocols', () => {
  it("a fallback to an instance of the caller's protocol gets the original bytes", async () => {
    plain.script = answerWith(500, '{}');
    const { response, row } = await call({ model: 'both' });
    expect(await response.text()).toBe(completionText);
    expect(own.calls[0]?.body.toString()).toBe(JSON.stringify({ messages: hello, model: 'both' }));
    expect(received().target.model).toBe('both');
    expect(await row()).toMatchObject({ provider_instance_name: 'own', attempts: 2, status: 'success' });
  });

  it('a fallback to an instance of another protocol gets a translated request', async () => {
    own.script = answerWith(503, '{}');
    const { response, row } = await call({ model: 'late', seed: 1 });
    expect(await readCompletion(response)).toMatchObject({ id: 'plain-1' });
    expect(response.headers.get('x-sluice-warning')).toBe('seed');
    expect(await row()).toMatchObject({ provider_instance_name: 'again', attempts: 2, status: 'success' });
  });
});

describe('provider errors in other protocols', () => {
  it.each([
    [400, 400, 'provider_rejected'],
    [401, 502, 'provider_auth_failed'],
    [402, 502, 'provider_out_of_credit'],
    [404, 404, 'provider_rejected'],
    [429, 429, 'rate_limited'],
    [500, 502, 'upstream_error'],
    [529, 502, 'upstream_overloaded'],
  ])(
    "provider error %i becomes %i in the caller's protocol with the provider's message: %s",
    async (status, told, code) => {
      plain.script = answerWith(status, '{"say":"these are my words"}');
      const { response, row } = await call({});
      const error = await readError(response);
      expect(response.status).toBe(told);
      expect(error).toMatchObject({ code, param: null });
      if (![401, 402].includes(status)) expect(error.message).toContain('these are my words');
      expect(await row()).toMatchObject({ status: 'error', http_status: told, error_code: code });
    },
  );

  it('a provider error may request a retry delay in its body', async () => {
    plain.script = answerWith(429, '{"say":"slow down","retryAfterMs":34000}');
    expect((await call({})).response.headers.get('retry-after')).toBe('34');
  });

  it("a provider error's retry-after header takes precedence over its body", async () => {
    plain.script = answerWith(429, '{"say":"slow down","retryAfterMs":34000}', { 'retry-after': '3' });
    expect((await call({})).response.headers.get('retry-after')).toBe('3');
  });

  it.each([
    ['insufficient_quota', 429, 'provider_out_of_credit'],
    ['invalid_api_key', 400, 'provider_auth_failed'],
  ])(
    "%s of the instance's account is not reported as the caller's error, regardless of the status",
    async (code, status, told) => {
      own.script = answerWith(status, JSON.stringify({ error: { message: 'no', code } }));
      const { response } = await call({ model: 'own/both' });
      expect([response.status, (await readError(response)).code]).toEqual([502, told]);
    },
  );
});
