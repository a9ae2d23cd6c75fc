import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startGateway, type TestGateway } from '#test/console/gateway.ts';
import {
  completionText,
  type ScriptedProvider,
  startScriptedProvider,
} from '#test/providers/scripted-provider.ts';

let provider: ScriptedProvider;
let gateway: TestGateway;
let client: OpenAI;
beforeAll(async () => {
  provider = await startScriptedProvider();
  gateway = await startGateway({
    async seed(seed) {
      await seed.addInstance({ name: 'lab', models: ['sandbox-normal:tokens=30,interval_ms=2'] });
      await seed.addInstance({
        name: 'hub',
        models: ['meta/llama 4:free', 'm'],
        aliases: { 'team/fast': 'm' },
        endpoint: `${provider.origin}/v1`,
      });
    },
  });
  client = new OpenAI({ apiKey: gateway.apiKey, baseURL: `${gateway.origin}/api/v1`, maxRetries: 0 });
});
afterAll(async () => {
  await gateway.stop();
  await provider.close();
});

const messages = [{ role: 'user', content: 'Write about rivers' }] as const;
const model = 'sandbox-normal:tokens=30,interval_ms=2';
const ask = { model, messages: [...messages] };

describe('OpenAI client', () => {
  it('OpenAI client gets a completion with the billed usage', async () => {
    const { data: completion, request_id } = await client.chat.completions.create(ask).withResponse();
    const entry = await gateway.sandbox.journal.waitFor((candidate) => candidate.requestId === request_id);
    expect(completion.choices[0]?.message.content).toMatch(/^\w.{20,}/);
    expect(completion.usage).toMatchObject({
      prompt_tokens: entry.promptTokens,
      completion_tokens: entry.completionTokens,
      total_tokens: entry.promptTokens + entry.completionTokens,
    });
  });

  it('OpenAI client streams the same text, and gets usage only on request', async () => {
    const { choices } = await client.chat.completions.create(ask);
    for (const include_usage of [undefined, false, true]) {
      const stream = await client.chat.completions.create({
        ...ask,
        stream: true,
        ...(include_usage === undefined ? {} : { stream_options: { include_usage } }),
      });
      const chunks = await Array.fromAsync(stream);
      expect(chunks.map((chunk) => chunk.choices[0]?.delta.content ?? '').join('')).toBe(
        choices[0]?.message.content,
      );
      expect(chunks.filter(({ usage }) => usage).map(({ usage }) => usage?.completion_tokens)).toEqual(
        include_usage ? [30] : [],
      );
      expect(chunks.every((chunk) => chunk.choices.length === 1 || chunk.usage)).toBe(true);
    }
  });

  it('OpenAI client calls tools, whole and streaming', async () => {
    const tools = [
      {
        type: 'function' as const,
        function: {
          name: 'find_river',
          parameters: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
        },
      },
    ];
    const request = {
      model: 'sandbox-tool',
      messages: [...messages],
      tools,
      tool_choice: 'required' as const,
    };
    const whole = await client.chat.completions.create(request);
    const streamed = await client.chat.completions.stream(request).finalChatCompletion();
    for (const { choices } of [whole, streamed]) {
      expect(choices[0]?.finish_reason).toBe('tool_calls');
      const call = choices[0]?.message.tool_calls?.[0];
      expect(call?.type === 'function' && JSON.parse(call.function.arguments)).toEqual({
        name: expect.any(String),
      });
    }
  });

  it('OpenAI client gets the requested number of choices, whole and streaming', async () => {
    const whole = await client.chat.completions.create({ ...ask, n: 3 });
    const streamed = await client.chat.completions.stream({ ...ask, n: 3 }).finalChatCompletion();
    const textsOf = ({ choices }: OpenAI.ChatCompletion) => choices.map(({ message }) => message.content);
    expect(new Set(textsOf(whole)).size).toBe(3);
    expect(textsOf(streamed)).toEqual(textsOf(whole));
  });

  it('OpenAI client gets a response that matches its schema', async () => {
    const { choices } = await client.chat.completions.create({
      ...ask,
      response_format: {
        type: 'json_schema',
        json_schema: {
          name: 'river',
          schema: { type: 'object', properties: { length: { type: 'integer' } }, required: ['length'] },
        },
      },
    });
    expect(JSON.parse(choices[0]?.message.content ?? '')).toEqual({ length: expect.any(Number) });
  });

  it('OpenAI client lists the models and finds each by name, including slashes', async () => {
    const models = await Array.fromAsync(client.models.list());
    const names = models.map(({ id }) => id);
    expect(names).toEqual(
      expect.arrayContaining(['sandbox-normal', model, 'meta/llama 4:free', 'm', 'team/fast']),
    );
    expect(new Set(names).size).toBe(names.length);
    for (const listed of models) {
      expect(listed).toEqual({
        id: listed.id,
        object: 'model',
        created: expect.any(Number),
        owned_by: expect.any(String),
        input_modalities: listed.id.endsWith('vision') ? ['text', 'image'] : ['text'],
        output_modalities: listed.id.endsWith('embedding') ? ['embeddings'] : ['text'],
      });
      expect(await client.models.retrieve(listed.id)).toEqual(listed);
    }
    await expect(client.models.retrieve('no/such')).rejects.toThrow(OpenAI.NotFoundError);
  });

  it('OpenAI client reaches models by a name with a slash, an alias and an instance prefix', async () => {
    for (const name of ['meta/llama 4:free', 'team/fast', 'hub/m']) {
      expect(await client.chat.completions.create({ ...ask, model: name })).toEqual(
        JSON.parse(completionText),
      );
    }
  });
});

describe('OpenAI client errors', () => {
  const failureOf = (call: Promise<unknown>): Promise<InstanceType<typeof OpenAI.APIError>> =>
    call.then(
      () => Promise.reject(new Error('this should have failed')),
      (error) => error,
    );

  it.each([
    ['400', OpenAI.BadRequestError, { temperature: 3 }, { code: 'invalid_request', param: 'temperature' }],
    ['404', OpenAI.NotFoundError, { model: 'gpt-99' }, { code: 'model_not_found', param: 'model' }],
    ['429', OpenAI.RateLimitError, { model: 'sandbox-rate-limited' }, { code: 'rate_limit_exceeded' }],
    [
      '500',
      OpenAI.InternalServerError,
      { model: 'sandbox-error-500' },
      { status: 502, code: 'upstream_error' },
    ],
    ['503', OpenAI.InternalServerError, { model: 'sandbox-overloaded' }, { status: 502 }],
    [
      'a refused key',
      OpenAI.InternalServerError,
      { model: 'sandbox-refuse-key' },
      { status: 502, code: 'provider_auth_failed' },
    ],
  ])('OpenAI client throws its own exception for %s', async (_, kind, more, facts) => {
    for (const stream of [false, true]) {
      const error = await failureOf(client.chat.completions.create({ ...ask, ...more, stream }));
      expect(error).toBeInstanceOf(kind);
      expect(error).toMatchObject({ ...facts, requestID: expect.stringMatching(/^[0-9a-f-]{36}$/) });
    }
  });

  it('OpenAI client throws its own exception for 401', async () => {
    const stranger = client.withOptions({ apiKey: 'slc_wrong' });
    for (const call of [stranger.chat.completions.create(ask), stranger.models.list()]) {
      const error = await failureOf(call);
      expect(error).toBeInstanceOf(OpenAI.AuthenticationError);
      expect(error).toMatchObject({ code: 'invalid_api_key', type: 'authentication_error' });
    }
  });

  it('OpenAI client throws its own exception for 429, with the retry delay', async () => {
    const error = await failureOf(client.chat.completions.create({ ...ask, model: 'sandbox-rate-limited' }));
    expect(error.headers?.get('retry-after')).toBe('7');
  });

  it('OpenAI client throws its own exception in the middle of a stream', async () => {
    const stream = await client.chat.completions.create({ ...ask, model: 'sandbox-reset', stream: true });
    const chunks: OpenAI.ChatCompletionChunk[] = [];
    const error = await failureOf(
      (async () => {
        for await (const chunk of stream) chunks.push(chunk);
      })(),
    );
    expect(error).toBeInstanceOf(OpenAI.APIError);
    expect(error).toMatchObject({ code: 'upstream_error' });
    expect(chunks).toHaveLength(1 + 4);
  });
});
