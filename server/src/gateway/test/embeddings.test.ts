import OpenAI from 'openai';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startGateway, type TestGateway } from '#test/console/gateway.ts';
import type { Seeder } from '#test/database/seed.ts';
import {
  answerWith,
  type ScriptedProvider,
  startScriptedProvider,
} from '#test/providers/scripted-provider.ts';
import { readError } from '#test/requests/answers.ts';

let provider: ScriptedProvider;
let gateway: TestGateway;
let client: OpenAI;
let people: Record<'embedder' | 'talker', Awaited<ReturnType<Seeder['addPerson']>>>;
beforeAll(async () => {
  provider = await startScriptedProvider();
  gateway = await startGateway({
    async seed(seed) {
      await seed.addTasks(5);
      people = {
        embedder: await seed.addPerson({ name: 'embedder', scopes: ['embeddings'] }),
        talker: await seed.addPerson({ name: 'talker', scopes: ['completions', 'models'] }),
      };
      await seed.addInstance({
        name: 'own',
        models: ['embed'],
        aliases: { vectors: 'embed' },
        endpoint: `${provider.origin}/v1`,
      });
      const claude = { name: 'claude', providerKey: 'anthropic', models: ['claude-x'] };
      await seed.addInstance({ ...claude, endpoint: provider.origin });
      for (const { providerKey } of translations) {
        const models = ['embed'];
        await seed.addInstance({ name: `my ${providerKey}`, providerKey, models, endpoint: provider.origin });
      }
    },
  });
  client = new OpenAI({ apiKey: gateway.apiKey, baseURL: `${gateway.origin}/api/v1`, maxRetries: 0 });
});
afterAll(async () => {
  await gateway.stop();
  await provider.close();
});

const vectors = [
  [0.5, -0.25, 1],
  [2, 3, -4.75],
];
const pack = (vector: number[]) => Buffer.from(Float32Array.from(vector).buffer).toString('base64');
const answerText = (embeddings: unknown[], more: object = { usage: { prompt_tokens: 4, total_tokens: 4 } }) =>
  JSON.stringify({
    object: 'list',
    data: embeddings.map((embedding, index) => ({ object: 'embedding', index, embedding, own: index })),
    model: 'embed-v2',
    ...more,
  });
beforeEach(() => {
  provider.calls.length = 0;
  provider.script = answerWith(200, answerText(vectors));
});

const embed = (body: object, apiKey = gateway.apiKey) =>
  fetch(`${gateway.origin}/api/v1/embeddings`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
const sent = () => JSON.parse(provider.calls.at(-1)?.body.toString() ?? '');

describe('embeddings', () => {
  it.each<[what: string, input: unknown]>([
    ['a text', 'Hello'],
    ['texts', ['a', 'b']],
    ['tokens', [1, 2, 3]],
    ['lists of tokens', [[1, 2], [3]]],
  ])('embeddings with %s reach a provider of the same protocol unchanged', async (_, input) => {
    const body = { model: 'embed', input, dimensions: 3, user: 'u', own_field: 1 };
    const answer = await embed(body);
    expect(await answer.text()).toBe(answerText(vectors));
    expect(provider.calls.map(({ path }) => path)).toEqual(['/v1/embeddings']);
    expect(provider.calls[0]?.body.toString()).toBe(JSON.stringify(body));
    expect(provider.calls[0]?.headers.authorization).toBe('Bearer sk-test-provider-key');
  });

  it("embeddings are sent without gateway fields and under the model's own name", async () => {
    await embed({ model: 'vectors', input: 'a', task_id: 5, metadata: { task_id: 5 } });
    expect(sent()).toEqual({ model: 'embed', input: 'a' });
  });

  it('embeddings leave one row with their input tokens', async () => {
    const answer = await embed({ model: 'vectors', input: ['a', 'b'] });
    const row = await gateway.waitForRow(answer.headers.get('x-request-id') ?? '');
    expect(row).toMatchObject({
      status: 'success',
      http_status: 200,
      operation: 'embeddings',
      protocol: 'openai-chat',
      model_requested: 'vectors',
      model: 'embed',
      prompt_tokens: 4,
      completion_tokens: 0,
      usage_source: 'provider',
      is_stream: false,
      request_body: JSON.stringify({ model: 'vectors', input: ['a', 'b'] }),
    });
  });

  it('embeddings tokens are estimated if the provider reports none', async () => {
    provider.script = answerWith(200, answerText(vectors, {}));
    const answer = await embed({ model: 'embed', input: ['x'.repeat(41), 'y'] });
    const row = await gateway.waitForRow(answer.headers.get('x-request-id') ?? '');
    expect(row).toMatchObject({ prompt_tokens: 12, usage_source: 'estimated' });
  });

  it.each<[param: string, body: object]>([
    ['model', { input: 'a' }],
    ['input', { model: 'embed' }],
    ['input', { model: 'embed', input: [] }],
    ['input', { model: 'embed', input: [['a']] }],
    ['encoding_format', { model: 'embed', input: 'a', encoding_format: 'hex' }],
    ['dimensions', { model: 'embed', input: 'a', dimensions: 0 }],
    ['task_id', { model: 'embed', input: 'a', task_id: 'x' }],
  ])('embeddings with an invalid %s are rejected: %j', async (param, body) => {
    const answer = await embed(body);
    expect(answer.status).toBe(400);
    expect((await readError(answer)).param).toContain(param);
    expect(provider.calls).toEqual([]);
  });

  it("embeddings are rejected if the model's provider does not support them", async () => {
    const answer = await embed({ model: 'claude-x', input: 'a' });
    expect(answer.status).toBe(400);
    expect((await readError(answer)).message).toBe(
      'The provider "claude" does not support embeddings. Use a model of another provider.',
    );
    expect(provider.calls).toEqual([]);
  });

  it('embeddings need a key with their own scope', async () => {
    expect((await embed({ model: 'embed', input: 'a' }, people.embedder.apiKey)).status).toBe(200);
    expect((await embed({ model: 'embed', input: 'a' }, people.talker.apiKey)).status).toBe(403);
    const { status } = await gateway.complete({ model: 'embed' }, { apiKey: people.embedder.apiKey });
    expect(status).toBe(403);
  });

  it.each([
    ['a 400', answerWith(400, '{"error":{"message":"too many inputs"}}'), 400, 'provider_rejected'],
    ['JSON without embeddings', answerWith(200, '{"object":"list"}'), 502, 'upstream_invalid_response'],
    ['a body that is not JSON', answerWith(200, '<html>'), 502, 'upstream_invalid_response'],
  ])('embeddings fail when the provider returns %s', async (_, script, status, code) => {
    provider.script = script;
    const answer = await embed({ model: 'embed', input: 'a' });
    expect([answer.status, (await readError(answer)).code]).toEqual([status, code]);
    const row = await gateway.waitForRow(answer.headers.get('x-request-id') ?? '');
    expect(row).toMatchObject({ status: 'error', error_code: code });
  });
});

interface Translation {
  readonly providerKey: string;
  readonly path: string;
  readonly sent: object;
  readonly answer: object;
  /** `null` if the provider reports none. */
  readonly inputTokens: number | null;
}

const translations: readonly Translation[] = [
  {
    providerKey: 'google',
    path: '/v1beta/models/embed:batchEmbedContents',
    sent: {
      requests: ['a', 'b'].map((text) => ({
        model: 'models/embed',
        content: { parts: [{ text }] },
        outputDimensionality: 3,
      })),
    },
    answer: { embeddings: vectors.map((values) => ({ values })) },
    inputTokens: null,
  },
  {
    providerKey: 'cohere',
    path: '/v2/embed',
    sent: expect.objectContaining({ model: 'embed', texts: ['a', 'b'], output_dimension: 3 }),
    answer: { id: 'e', embeddings: { float: vectors }, meta: { billed_units: { input_tokens: 6 } } },
    inputTokens: 6,
  },
  {
    providerKey: 'ollama',
    path: '/api/embed',
    sent: expect.objectContaining({ model: 'embed', input: ['a', 'b'], dimensions: 3 }),
    answer: { model: 'embed', embeddings: vectors, prompt_eval_count: 7 },
    inputTokens: 7,
  },
];

describe.each(translations)('embeddings of $providerKey', ({ providerKey, path, inputTokens, ...wire }) => {
  const request = { model: `${providerKey}/embed`, input: ['a', 'b'], dimensions: 3 };

  it("embeddings are translated to the provider's protocol and returned in the requested format", async () => {
    provider.script = answerWith(200, JSON.stringify(wire.answer));
    for (const encoding_format of ['float', 'base64']) {
      const answer = await embed({ ...request, encoding_format });
      const embeddings = encoding_format === 'float' ? vectors : vectors.map(pack);
      const tokens = inputTokens ?? 2;
      expect(await answer.json()).toEqual({
        object: 'list',
        data: embeddings.map((embedding, index) => ({ object: 'embedding', index, embedding })),
        model: expect.stringMatching(/embed$/),
        usage: { prompt_tokens: tokens, total_tokens: tokens },
      });
      expect(provider.calls.at(-1)?.path).toBe(path);
      expect(sent()).toEqual(wire.sent);
      const row = await gateway.waitForRow(answer.headers.get('x-request-id') ?? '');
      expect(row).toMatchObject({
        operation: 'embeddings',
        prompt_tokens: tokens,
        usage_source: inputTokens === null ? 'estimated' : 'provider',
      });
    }
  });

  it('embeddings of tokens are rejected by a provider that accepts only texts', async () => {
    const answer = await embed({ ...request, input: [[1, 2]] });
    expect(answer.status).toBe(400);
    expect((await readError(answer)).param).toBe('input');
    expect(provider.calls).toEqual([]);
  });

  it('embeddings fail if the response contains none', async () => {
    provider.script = answerWith(200, '{}');
    expect((await readError(await embed(request))).code).toBe('upstream_invalid_response');
  });
});

describe('embeddings formats', () => {
  const read = async (encoding_format?: 'float' | 'base64') => {
    const answer = await embed({
      model: 'embed',
      input: ['a', 'b'],
      ...(encoding_format && { encoding_format }),
    });
    return answer.text();
  };

  it('vectors pass unchanged if the provider used the requested format', async () => {
    expect(await read('float')).toBe(answerText(vectors));
    provider.script = answerWith(200, answerText(vectors.map(pack)));
    expect(await read('base64')).toBe(answerText(vectors.map(pack)));
  });

  it('vectors are converted to the requested format if the provider used another', async () => {
    expect(JSON.parse(await read('base64'))).toEqual(JSON.parse(answerText(vectors.map(pack))));
    provider.script = answerWith(200, answerText(vectors.map(pack)));
    expect(JSON.parse(await read('float'))).toEqual(JSON.parse(answerText(vectors)));
    expect(JSON.parse(await read())).toEqual(JSON.parse(answerText(vectors)));
  });

  it.each([
    ['numbers', vectors],
    ['base64', vectors.map(pack)],
  ])(
    "vectors are correct in OpenAI's client, which requests base64, when the provider sends %s",
    async (_, embeddings) => {
      provider.script = answerWith(200, answerText(embeddings));
      const { data, usage } = await client.embeddings.create({ model: 'embed', input: ['a', 'b'] });
      expect(sent().encoding_format).toBe('base64');
      expect(data.map(({ embedding }) => Array.from(embedding))).toEqual(vectors);
      expect(usage.prompt_tokens).toBe(4);
    },
  );
});
