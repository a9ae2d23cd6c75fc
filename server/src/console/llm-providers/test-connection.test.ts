import { llmProvidersRoutes } from '@sluice/contract';
import { startSandbox } from '@sluice/sandbox';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { syncRegistry } from '#console/provider-registry/sync-registry.ts';
import { createSystemDatabase } from '#db/system.ts';
import type { Principal } from '#domain/principal.ts';
import { createKeyring } from '#platform/keyring.ts';
import { providers } from '#providers/registry.ts';
import { addPerson, addTenant, createTestConsole, noProvider } from '#test/console/console.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import {
  answerWith,
  type ProviderCall,
  type ScriptedProvider,
  startScriptedProvider,
} from '#test/providers/scripted-provider.ts';
import { createUpstreamClient, type UpstreamClient } from '#upstream/client.ts';
import { checkEndpointUrl } from '#upstream/outbound-guard.ts';
import { createLlmProvidersHandlers } from './routes.ts';

const { sealingKey } = createKeyring('test');
const open = { allowPrivate: true };
let database: TestDatabase;
let provider: ScriptedProvider;
let sandbox: Awaited<ReturnType<typeof startSandbox>>;
let upstream: UpstreamClient;
let guarded: UpstreamClient;
let admin: Principal;
let registry: Record<string, number>;
let connect: (
  client?: UpstreamClient,
) => ReturnType<ReturnType<typeof createTestConsole<typeof llmProvidersRoutes>>>;

beforeAll(async () => {
  [database, provider, sandbox] = await Promise.all([
    createTestDatabase(),
    startScriptedProvider(),
    startSandbox(),
  ]);
  upstream = createUpstreamClient({ policy: open });
  guarded = createUpstreamClient({ policy: { allowPrivate: false } });
  await syncRegistry(createSystemDatabase(database.pool));
  const { rows } = await database.pool.query('SELECT provider_key, id FROM provider_registry');
  registry = Object.fromEntries(rows.map((row) => [row.provider_key, row.id]));
  admin = await addPerson(database.pool, await addTenant(database.pool, 'One'), 'admin', 'admin@one.test');
  connect = (client = upstream) =>
    createTestConsole(
      database.pool,
      llmProvidersRoutes,
      createLlmProvidersHandlers({
        ...noProvider,
        keyring: { sealingKey },
        checkEndpointUrl: (text) => checkEndpointUrl(text, open),
        upstream: client,
        sandboxOrigin: sandbox.origin,
      }),
    )({ principal: admin });
});
afterAll(async () => {
  await Promise.all([upstream.close(), guarded.close()]);
  await Promise.all([provider.close(), sandbox.close(), database.close()]);
});
beforeEach(() => {
  provider.calls.length = 0;
});

const apiKey = 'sk-to-try';
const test = (providerKey: string, more: object = {}) =>
  connect().testLlmProvider({
    body: {
      provider_registry_id: registry[providerKey]!,
      api_key: apiKey,
      api_endpoint: provider.origin,
      ...more,
    },
  });
const failed = (error: string) => ({ success: false, available_models: [], error });
const found = (...available_models: string[]) => ({ success: true, available_models, error: null });

const openaiList = { object: 'list', data: [{ id: 'b' }, { id: 'a' }, { id: 'b' }] };
const bearer = { authorization: `Bearer ${apiKey}` };

interface Row {
  readonly asked: readonly (readonly [call: string, status: number, answer: object])[];
  readonly signed: Readonly<Record<string, string>>;
  readonly models: readonly string[];
  readonly typed?: string;
}
const openaiLike = (path: string): Row => ({
  asked: [[`GET ${path}`, 200, openaiList]],
  signed: bearer,
  models: ['b', 'a'],
});

const rows: Readonly<Record<string, Row | readonly Row[]>> = {
  openai: openaiLike('/v1/models'),
  deepseek: openaiLike('/models'),
  mistral: openaiLike('/v1/models'),
  groq: openaiLike('/openai/v1/models'),
  xai: openaiLike('/v1/models'),
  fireworks: openaiLike('/inference/v1/models'),
  moonshot: openaiLike('/v1/models'),
  vllm: openaiLike('/v1/models'),
  custom: openaiLike('/v1/models'),
  together: { ...openaiLike('/v1/models'), asked: [['GET /v1/models', 200, openaiList.data]] },
  anthropic: {
    asked: [['GET /v1/models?limit=1000', 200, { data: [{ type: 'model', id: 'claude' }], has_more: false }]],
    signed: { 'x-api-key': apiKey, 'anthropic-version': '2023-06-01' },
    models: ['claude'],
  },
  google: {
    asked: [
      [
        'GET /v1beta/models?pageSize=1000',
        200,
        {
          models: [
            { name: 'models/gemini-a', supportedGenerationMethods: ['generateContent', 'countTokens'] },
            { name: 'models/embedding', supportedGenerationMethods: ['embedContent'] },
            { name: 'models/veo', supportedGenerationMethods: ['predictLongRunning'] },
          ],
        },
      ],
    ],
    signed: { 'x-goog-api-key': apiKey },
    models: ['gemini-a', 'embedding'],
  },
  cohere: {
    asked: [
      [
        'GET /v1/models?page_size=1000',
        200,
        {
          models: [
            { name: 'command', endpoints: ['chat', 'generate'] },
            { name: 'embed-v4', endpoints: ['embed'] },
            { name: 'rerank-v4', endpoints: ['rerank'] },
          ],
        },
      ],
    ],
    signed: bearer,
    models: ['command', 'embed-v4'],
  },
  ollama: {
    asked: [['GET /api/tags', 200, { models: [{ name: 'llama3:8b', size: 1 }] }]],
    signed: bearer,
    models: ['llama3:8b'],
  },
  azure_openai: [
    ['', '/openai/v1/models'],
    ['/openai/deployments?api-version=2024-10-21', '/openai/models?api-version=2024-10-21'],
    ['/models', '/openai/models?api-version=2024-05-01-preview'],
  ].map(([typed, path]) => ({
    asked: [[`GET ${path}`, 200, openaiList]],
    signed: { 'api-key': apiKey },
    models: [],
    typed,
  })),
  huggingface: {
    asked: [
      ['POST /v1/chat/completions', 400, { error: 'missing field `model`' }],
      ['GET /v1/models', 200, openaiList],
    ],
    signed: bearer,
    models: ['b', 'a'],
  },
  openrouter: {
    asked: [
      ['GET /api/v1/key', 200, { data: { label: 'x' } }],
      ['GET /api/v1/models', 200, openaiList],
    ],
    signed: bearer,
    models: ['b', 'a'],
  },
  perplexity: {
    asked: [['POST /chat/completions', 400, { error: { message: 'messages: field required', code: 400 } }]],
    signed: bearer,
    models: ['sonar', 'sonar-pro', 'sonar-reasoning-pro', 'sonar-deep-research'],
  },
};
const cases = Object.entries(rows).flatMap(([providerKey, given]) =>
  [given].flat().map((row) => ({ providerKey, ...row })),
);

const guardBy =
  ({ asked, signed }: Row) =>
  (response: Parameters<ScriptedProvider['script']>[0], call: ProviderCall) => {
    const isGood = Object.entries(signed).every(([name, value]) => call.headers[name] === value);
    const [, status, answer] = asked.find(([what]) => what.endsWith(` ${call.path}`)) ?? ['', 404, {}];
    response.writeHead(isGood ? status : 401, { 'content-type': 'application/json' });
    response.end(JSON.stringify(isGood ? answer : { error: { message: 'Who are you?' } }));
  };

it('every provider except the sandbox has a case of the connection test', () => {
  expect(Object.keys(rows).sort()).toEqual(
    Object.keys(providers)
      .filter((key) => key !== 'sandbox')
      .sort(),
  );
});

describe.each(cases)('testLlmProvider for $providerKey at "$typed"', (row) => {
  const at = () => ({ api_endpoint: provider.origin + (row.typed ?? '') });

  it('testLlmProvider finds the models with a valid key at no cost', async () => {
    provider.script = guardBy(row);
    expect(await test(row.providerKey, at())).toEqual(found(...row.models));
    const asked = provider.calls.map(({ path, body }) => `${body.length > 0 ? 'POST' : 'GET'} ${path}`);
    expect(asked).toEqual(row.asked.map(([what]) => what));
    for (const { headers, body } of provider.calls) {
      expect(headers).toMatchObject(row.signed);
      expect(['', '{}']).toContain(body.toString());
    }
  });

  it('testLlmProvider fails with an invalid key', async () => {
    provider.script = guardBy(row);
    const outcome = await test(row.providerKey, { ...at(), api_key: 'sk-another' });
    expect(outcome).toEqual(failed('Authentication failed. Please verify your API key.'));
  });
});

describe('a failing connection test', () => {
  it.each<[what: string, status: number, answer: string, error: string]>([
    [
      'a wrong key, named in the body',
      401,
      '{"error":{"message":"Incorrect API key provided: sk-to-try.","code":"invalid_api_key"}}',
      'Invalid API key. Please check your OpenAI API key.',
    ],
    ['401', 401, '', 'Authentication failed. Please verify your API key.'],
    ['403', 403, '{}', 'Access forbidden. Your API key may not have the required permissions.'],
    ['429', 429, '{}', 'Rate limit exceeded. Please try again later.'],
    ['500', 500, '{}', 'OpenAI service error. Please try again later.'],
    ['503', 503, '<html>', 'OpenAI service error. Please try again later.'],
    [
      'an unexpected status with an error body',
      418,
      '{"error":{"message":"No tea"}}',
      'OpenAI API error. Please verify your settings and try again.',
    ],
    ['an HTML page', 200, '<html>', 'Unknown error occurred.'],
    ['an unknown list', 200, '{"data":[{"name":"x"}]}', 'Unknown error occurred.'],
    ['404', 404, '', 'Connection failed. Please check your configuration.'],
  ])('testLlmProvider returns the error message for %s', async (_, status, answer, error) => {
    provider.script = answerWith(status, answer);
    expect(await test('openai')).toEqual(failed(error));
  });

  it('testLlmProvider names the provider in its message', async () => {
    provider.script = answerWith(
      400,
      '{"error":{"code":400,"message":"API key not valid.","status":"INVALID_ARGUMENT","details":[{"reason":"API_KEY_INVALID"}]}}',
    );
    expect(await test('google')).toEqual(failed('Invalid API key. Please check your Google API key.'));
    provider.script = answerWith(500, '{}');
    expect(await test('mistral')).toEqual(failed('Mistral service error. Please try again later.'));
  });

  it('testLlmProvider does not follow a redirect, which would leak the key', async () => {
    provider.script = answerWith(302, '', { location: `${provider.origin}/elsewhere` });
    expect(await test('openai')).toEqual(failed('Connection failed. Please check your configuration.'));
    expect(provider.calls).toHaveLength(1);
  });

  it('testLlmProvider reports a network error if the connection is closed or refused', async () => {
    provider.script = (response) => void response.destroy();
    expect(await test('openai')).toEqual(
      failed('Network error. Please check your connection and try again.'),
    );
    const closed = await startScriptedProvider();
    await closed.close();
    expect(await test('openai', { api_endpoint: closed.origin })).toEqual(
      failed('Network error. Please check your connection and try again.'),
    );
  });

  it('testLlmProvider counts all ports of a host as one recipient', async () => {
    await database.pool.query('TRUNCATE outbound_counts');
    for (const port of [65_521, 65_522, 65_523])
      await test('openai', { api_endpoint: `http://127.0.0.1:${port}` });
    const { rows } = await database.pool.query("SELECT used FROM outbound_counts WHERE scope = 'recipient'");
    expect(rows).toEqual([{ used: 3 }]);
  });

  it('testLlmProvider stops reading an endless list of models', async () => {
    provider.script = (response) => {
      const filler = Buffer.alloc(1024 * 1024, ' ');
      const write = () => {
        while (!response.destroyed && response.write(filler));
      };
      response.on('drain', write).on('error', () => undefined);
      write();
    };
    expect(await test('openai')).toEqual(failed('Connection failed. Please check your configuration.'));
  });

  it('testLlmProvider does not connect to addresses that the outbound guard rejects', async () => {
    const body = { provider_registry_id: registry.openai!, api_key: apiKey, api_endpoint: provider.origin };
    const outcome = await connect(guarded).testLlmProvider({ body });
    expect(outcome).toEqual(failed('Connection failed. Please check your configuration.'));
    expect(provider.calls).toEqual([]);
    await expect(test('openai', { api_endpoint: 'http://169.254.169.254/' })).rejects.toMatchObject({
      status: 422,
      detail: [{ loc: ['body', 'api_endpoint'] }],
    });
  });
});

describe('a self-hosted server', () => {
  it('testLlmProvider accepts a self-hosted server that lists no models', async () => {
    provider.script = (response, { path }) =>
      response.writeHead(path === '/v1/chat/completions' ? 422 : 404).end('{"detail":"Field required"}');
    expect(await test('custom')).toEqual(found());
    expect(provider.calls.map(({ path }) => path)).toEqual(['/v1/models', '/v1/chat/completions']);
    provider.script = answerWith(404, '');
    expect(await test('custom')).toEqual(failed('Connection failed. Please check your configuration.'));
  });

  it('testLlmProvider tests a self-hosted server without a key, but not a cloud provider', async () => {
    provider.script = answerWith(200, JSON.stringify(openaiList));
    expect(await test('vllm', { api_key: undefined })).toEqual(found('b', 'a'));
    expect(provider.calls[0]?.headers.authorization).toBeUndefined();
    await expect(test('openai', { api_key: '' })).rejects.toMatchObject({
      status: 422,
      detail: [{ loc: ['body', 'api_key'], msg: 'API key is required' }],
    });
  });
});

describe('the built-in sandbox', () => {
  it('testLlmProvider tests the sandbox at its internal URL', async () => {
    const outcome = await test('sandbox', { api_endpoint: undefined, api_key: undefined });
    expect(outcome).toMatchObject({ success: true, error: null });
    expect(outcome.available_models).toContain('sandbox-normal');
    await expect(test('sandbox')).rejects.toMatchObject({ status: 422 });
  });
});

describe('a connection test', () => {
  it('testLlmProvider requires a known provider', async () => {
    for (const provider_registry_id of [999_999, 0]) {
      await expect(test('openai', { provider_registry_id })).rejects.toThrow('rovider');
    }
  });

  it('testLlmProvider stores nothing, and its models can be stored with the instance', async () => {
    provider.script = answerWith(200, JSON.stringify(openaiList));
    const { available_models } = await test('custom');
    expect(await connect().listLlmProviders()).toEqual([]);
    const created = await connect().createLlmProvider({
      body: {
        provider_registry_id: registry.custom!,
        provider_instance_name: 'Found',
        api_endpoint: provider.origin,
        enabled_models: ['a'],
        available_models,
      },
    });
    expect(created.available_models).toEqual(['b', 'a']);
    await database.pool.query('DELETE FROM llm_providers');
  });
});

describe('a stored instance', () => {
  it('testSavedLlmProvider uses the stored key', async () => {
    const created = await connect().createLlmProvider({
      body: {
        provider_registry_id: registry.openai!,
        provider_instance_name: 'Stored',
        api_key: 'sk-that-is-stored',
        api_endpoint: provider.origin,
        enabled_models: ['a'],
      },
    });
    provider.calls.length = 0;
    provider.script = answerWith(200, JSON.stringify(openaiList));
    const params = { id: created.id };
    expect(await connect().testSavedLlmProvider({ params })).toEqual(found('b', 'a'));
    expect(provider.calls[0]?.headers.authorization).toBe('Bearer sk-that-is-stored');
    provider.script = answerWith(401, '');
    expect(await connect().testSavedLlmProvider({ params })).toEqual(
      failed('Authentication failed. Please verify your API key.'),
    );
    await database.pool.query("UPDATE llm_providers SET sealed_api_key = '\\x00'");
    expect(await connect().testSavedLlmProvider({ params })).toEqual(
      failed('The stored key cannot be read with the master key of this server. Enter the key again.'),
    );
    await database.pool.query('DELETE FROM llm_providers');
    await expect(connect().testSavedLlmProvider({ params })).rejects.toMatchObject({ status: 404 });
  });
});

describe('the models of a service-managed instance', () => {
  const list = (providerKey: string) =>
    connect().listServiceManagedModels({ params: { id: registry[providerKey]! } });

  it("listServiceManagedModels returns the provider's known models with a price if there is no key", async () => {
    const outcome = await list('openai');
    expect(outcome).toMatchObject({ success: true, error: null });
    expect(outcome.available_models).toContain('gpt-4o');
    expect(await list('custom')).toEqual(found());
  });

  it("listServiceManagedModels returns the priced models found with the operator's key", async () => {
    const handlers = connect();
    const operator = { ...admin, role: 'super_admin' as const };
    await createTestConsole(
      database.pool,
      llmProvidersRoutes,
      createLlmProvidersHandlers({
        ...noProvider,
        keyring: { sealingKey },
        checkEndpointUrl: (text) => checkEndpointUrl(text, open),
        upstream,
        sandboxOrigin: null,
      }),
    )({ principal: operator }).createLlmProvider({
      body: {
        provider_registry_id: registry.openai!,
        provider_instance_name: 'Managed',
        api_key: 'sk-of-the-operator',
        api_endpoint: provider.origin,
        enabled_models: [],
        is_service_managed: true,
      },
    });
    provider.script = answerWith(
      200,
      JSON.stringify({ data: [{ id: 'gpt-4o' }, { id: 'gpt-without-price' }] }),
    );
    expect(await handlers.listServiceManagedModels({ params: { id: registry.openai! } })).toEqual(
      found('gpt-4o'),
    );
    expect(provider.calls[0]?.headers.authorization).toBe('Bearer sk-of-the-operator');
    provider.script = answerWith(401, '');
    expect(await list('openai')).toEqual(failed('Authentication failed. Please verify your API key.'));
  });

  it('listServiceManagedModels returns 404 for an unknown provider', async () => {
    await expect(connect().listServiceManagedModels({ params: { id: 999_999 } })).rejects.toMatchObject({
      status: 404,
      detail: 'Provider not found',
    });
  });
});
