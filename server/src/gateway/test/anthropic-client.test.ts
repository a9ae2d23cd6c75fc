import Anthropic, { APIError, NotFoundError } from '@anthropic-ai/sdk';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startGateway, type TestGateway } from '#test/console/gateway.ts';
import {
  answerStream,
  answerWith,
  messageText,
  type ScriptedProvider,
  startScriptedProvider,
} from '#test/providers/scripted-provider.ts';

let provider: ScriptedProvider;
let gateway: TestGateway;
let client: Anthropic;
beforeAll(async () => {
  provider = await startScriptedProvider();
  gateway = await startGateway({
    async seed(seed) {
      await seed.addInstance({ name: 'lab', models: ['sandbox-normal:tokens=30,interval_ms=2'] });
      await seed.addInstance({
        name: 'claude',
        providerKey: 'anthropic',
        providerApiKey: 'sk-ant-provider',
        models: ['claude-x'],
        aliases: { best: 'claude-x' },
        endpoint: provider.origin,
      });
    },
  });
  client = new Anthropic({ apiKey: gateway.apiKey, baseURL: `${gateway.origin}/api`, maxRetries: 0 });
});
beforeEach(() => {
  provider.calls.length = 0;
  provider.script = answerWith(200, messageText);
});
afterAll(async () => {
  await gateway.stop();
  await provider.close();
});

const messages = [{ role: 'user' as const, content: 'Write about rivers' }];
const ask = { model: 'claude-x', max_tokens: 50, messages };
const askSandbox = { ...ask, model: 'sandbox-normal:tokens=30,interval_ms=2' };
const failureOf = async (call: PromiseLike<unknown>) => {
  const error = await Promise.resolve(call).catch((reason: unknown) => reason);
  if (error instanceof APIError) return error;
  throw new Error(`it did not fail as an API does: ${error}`);
};

describe('Anthropic client', () => {
  it('Anthropic client gets a message from a provider of another protocol, with the billed usage', async () => {
    const { data: message, response } = await client.messages.create(askSandbox).withResponse();
    const requestId = response.headers.get('x-request-id');
    const entry = await gateway.sandbox.journal.waitFor((candidate) => candidate.requestId === requestId);
    expect(message).toMatchObject({
      type: 'message',
      stop_reason: 'end_turn',
      content: [{ type: 'text', text: expect.stringMatching(/^\w.{20,}/) }],
      usage: { input_tokens: entry.promptTokens, output_tokens: entry.completionTokens },
    });
    expect(response.headers.get('request-id')).toBe(requestId);
  });

  it('Anthropic client streams the same text as in a whole response', async () => {
    const whole = await client.messages.create(askSandbox);
    const streamed = await client.messages.stream(askSandbox).finalMessage();
    expect(streamed.content).toEqual(whole.content);
    expect(streamed.usage).toMatchObject({ output_tokens: whole.usage.output_tokens });
    expect(streamed.stop_reason).toBe('end_turn');
  });

  it("Anthropic client reaches a provider of its protocol with its own fields, betas and version, and the instance's key", async () => {
    const { data } = await client.beta.messages
      .create({ ...ask, betas: ['context-1m-2025-08-07', 'other-beta'] })
      .withResponse();
    expect(data.content).toEqual([{ type: 'text', text: 'Hello' }]);
    const [call] = provider.calls;
    expect(call?.path).toBe('/v1/messages');
    expect(call?.headers).toMatchObject({
      'x-api-key': 'sk-ant-provider',
      'anthropic-version': expect.stringMatching(/^20\d\d-/),
      'anthropic-beta': 'context-1m-2025-08-07,other-beta',
    });
    expect(call?.headers.authorization).toBeUndefined();
    expect(JSON.parse(call?.body.toString() ?? '')).toEqual(ask);
    expect(JSON.stringify(call)).not.toContain(gateway.apiKey);
  });

  it('Anthropic client can authenticate with a bearer token', async () => {
    const agent = new Anthropic({
      apiKey: null,
      authToken: gateway.apiKey,
      baseURL: `${gateway.origin}/api`,
      maxRetries: 0,
    });
    expect((await agent.messages.create(ask)).content).toHaveLength(1);
  });

  it('Anthropic client gets a stream of its own protocol unchanged', async () => {
    const events = [
      { type: 'message_start', message: { ...JSON.parse(messageText), content: [], stop_reason: null } },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hel' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'lo' } },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 2 } },
      { type: 'message_stop' },
    ];
    const bytes = events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('');
    provider.script = answerStream(bytes);
    const answer = await fetch(`${gateway.origin}/api/v1/messages?beta=true`, {
      method: 'POST',
      headers: { 'x-api-key': gateway.apiKey, 'content-type': 'application/json' },
      body: JSON.stringify({ ...ask, stream: true }),
    });
    expect(await answer.text()).toBe(bytes);
    const row = await gateway.waitForRow(answer.headers.get('x-request-id') ?? '');
    expect(row).toMatchObject({
      status: 'success',
      prompt_tokens: 2,
      completion_tokens: 2,
      response: 'Hello',
      prompt: 'Write about rivers',
    });
  });

  it.each([
    ['an unknown model', { ...ask, model: 'nobody' }, 404, 'not_found_error'],
    ['a missing cap', { model: 'claude-x', messages }, 400, 'invalid_request_error'],
  ])('Anthropic client reads the error for %s', async (_, body, status, type) => {
    // safe because the test is about the invalid body
    const error = await failureOf(client.messages.create(body as typeof ask));
    expect(error.status).toBe(status);
    expect(error.error).toMatchObject({ type: 'error', error: { type }, request_id: error.requestID });
  });

  it('Anthropic client reads a rate limit error of an Anthropic provider, with its retry delay', async () => {
    provider.script = answerWith(
      429,
      JSON.stringify({ type: 'error', error: { type: 'rate_limit_error', message: 'Slow down' } }),
      { 'content-type': 'application/json', 'retry-after': '7' },
    );
    const own = await failureOf(client.messages.create(ask));
    expect([own.status, own.headers?.get('retry-after')]).toEqual([429, '7']);
    expect(own.error).toMatchObject({ error: { type: 'rate_limit_error' } });
  });

  it('Anthropic client reads the error for an invalid key', async () => {
    const stranger = new Anthropic({ apiKey: 'slc_x', baseURL: `${gateway.origin}/api`, maxRetries: 0 });
    const error = await failureOf(stranger.messages.create(ask));
    expect(error.status).toBe(401);
    expect(error.error).toMatchObject({ error: { type: 'authentication_error' } });
  });
});

describe('Anthropic token count', () => {
  it("Anthropic token count is the provider's count of the caller's messages", async () => {
    provider.script = answerWith(200, '{"input_tokens":41}');
    const { data, response } = await client.messages.countTokens({ model: 'best', messages }).withResponse();
    expect(data).toEqual({ input_tokens: 41 });
    expect(response.headers.get('x-sluice-warning')).toBeNull();
    const [call] = provider.calls;
    expect(call?.path).toBe('/v1/messages/count_tokens');
    expect(call?.headers['x-api-key']).toBe('sk-ant-provider');
    expect(JSON.parse(call?.body.toString() ?? '')).toEqual({ model: 'claude-x', messages });
  });

  it('Anthropic token count is an upper estimate with a warning if the provider cannot count', async () => {
    const request = {
      model: askSandbox.model,
      messages: [{ role: 'user' as const, content: 'word '.repeat(500) }],
    };
    const { data, response } = await client.messages.countTokens(request).withResponse();
    expect(data.input_tokens).toBeGreaterThanOrEqual(500);
    expect(data.input_tokens).toBeLessThan(2_000);
    expect(response.headers.get('x-sluice-warning')).toBe('input_tokens is an estimate');
  });

  it.each([
    ['overloaded', answerWith(529, '{}')],
    ['returning HTML', answerWith(200, '<html>')],
    ['rejecting the key', answerWith(401, '{}')],
  ])('Anthropic token count is an estimate while the provider is %s', async (_, script) => {
    provider.script = script;
    const { input_tokens } = await client.messages.countTokens({ model: 'claude-x', messages });
    expect(input_tokens).toBeGreaterThan(3);
  });

  it('Anthropic token count returns the errors of the provider, and the same gateway errors as other requests', async () => {
    provider.script = answerWith(
      404,
      JSON.stringify({ type: 'error', error: { type: 'not_found_error', message: 'model: claude-x' } }),
    );
    const refused = await failureOf(client.messages.countTokens({ model: 'claude-x', messages }));
    expect(refused).toBeInstanceOf(NotFoundError);
    expect(refused.message).toContain('model: claude-x');
    const unknown = await failureOf(client.messages.countTokens({ model: 'nobody', messages }));
    expect(unknown.status).toBe(404);
    const empty = await failureOf(client.messages.countTokens({ model: 'claude-x', messages: [] }));
    expect(empty.status).toBe(400);
  });

  it('Anthropic token count leaves a row without tokens and texts', async () => {
    provider.script = answerWith(200, '{"input_tokens":41}');
    const { response } = await client.messages.countTokens({ model: 'best', messages }).withResponse();
    expect(await gateway.waitForRow(response.headers.get('x-request-id') ?? '')).toMatchObject({
      operation: 'tokens.count',
      status: 'success',
      http_status: 200,
      model_requested: 'best',
      model: 'claude-x',
      attempts: 1,
      prompt_tokens: 0,
      completion_tokens: 0,
      usage_source: 'none',
      cost_nano_usd: null,
      prompt: null,
    });
  });
});

describe('Anthropic model list', () => {
  it('Anthropic model list returns the names that a request may use, in pages', async () => {
    const names: string[] = [];
    for await (const model of client.models.list({ limit: 1 })) {
      names.push(model.id);
      expect(model).toEqual({
        type: 'model',
        id: model.id,
        display_name: model.id,
        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      });
    }
    expect(names).toEqual(expect.arrayContaining(['claude-x', 'best', askSandbox.model]));
    expect(new Set(names).size).toBe(names.length);
  });

  it('Anthropic model list can be read backward', async () => {
    const { data } = await client.models.list();
    const [first, second, third] = data;
    const page = await client.models.list({ before_id: third!.id, limit: 1 });
    expect(page.data.map(({ id }) => id)).toEqual([second!.id]);
    expect(page.has_more).toBe(true);
    const last = await client.models.list({ before_id: second!.id, limit: 5 });
    expect([last.data.map(({ id }) => id), last.has_more]).toEqual([[first!.id], false]);
  });

  it('Anthropic model list returns one model by name, and 404 for an unknown one', async () => {
    expect((await client.models.retrieve('claude-x')).type).toBe('model');
    expect((await failureOf(client.models.retrieve('nobody'))).error).toMatchObject({
      type: 'error',
      error: { type: 'not_found_error' },
    });
  });

  it.each(['limit=0', 'limit=x', 'limit=1001', 'after_id=nobody', 'before_id=nobody'])(
    'Anthropic model list rejects an invalid page: %s',
    async (query) => {
      const headers = { 'anthropic-version': '2023-06-01', 'x-api-key': gateway.apiKey };
      const answer = await fetch(`${gateway.origin}/api/v1/models?${query}`, { headers });
      expect(answer.status).toBe(400);
      expect(await answer.json()).toMatchObject({ type: 'error', error: { type: 'invalid_request_error' } });
    },
  );
});
