import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Principal } from '#domain/principal.ts';
import { startGateway, type TestGateway } from '#test/console/gateway.ts';
import {
  answerWith,
  completionText,
  generatedText,
  messageText,
  responseText,
  type ScriptedProvider,
  startScriptedProvider,
} from '#test/providers/scripted-provider.ts';

const model = 'granted-1';
const models = [model, 'granted-2', 'not-granted', 'forbidden'];
/** Status of a request by the name of its other model. */
const names = [
  ['granted-2', 200],
  ['not-granted', 404],
  ['forbidden', 403],
  ['unknown-9', 404],
  ['nickname', 404],
] as const;

const answers: readonly (readonly [path: RegExp, answer: string])[] = [
  [/count_tokens$/, '{"input_tokens":3}'],
  [/countTokens$/, '{"totalTokens":3}'],
  [/chat\/completions$/, completionText],
  [/responses$/, responseText],
  [/messages$/, messageText],
  [/generateContent$/, generatedText],
  [/embeddings$/, '{"object":"list","model":"m","data":[{"object":"embedding","index":0,"embedding":[1]}]}'],
];

let provider: ScriptedProvider;
let gateway: TestGateway;
let person: Principal & { apiKey: string };

beforeAll(async () => {
  provider = await startScriptedProvider((response, call) => {
    const [, answer = '{}'] = answers.find(([path]) => path.test(call.path)) ?? [];
    answerWith(200, answer)(response, call);
  });
  gateway = await startGateway({
    async seed({ addInstance, pool }) {
      for (const [providerKey, root] of Object.entries({ openai: '/v1', anthropic: '', google: '' }))
        await addInstance({
          name: providerKey,
          providerKey,
          endpoint: `${provider.origin}${root}`,
          models: models.map((name) => `${providerKey}-${name}`),
          aliases: { [`${providerKey}-nickname`]: `${providerKey}-granted-2` },
        });
      await pool.query(
        `INSERT INTO blacklist_entries (tenant_id, provider_key, model_pattern, reason)
         SELECT tenant_id, provider_instance_name, '*-forbidden', 'too dear' FROM llm_providers WHERE provider_instance_name IN ('openai', 'anthropic', 'google')`,
      );
    },
  });
  person = await gateway.seed.addPerson({ name: 'ann', role: 'user' });
  await gateway.pool.query(
    `INSERT INTO user_provider_access (tenant_id, user_id, llm_provider_id, allowed_models)
     SELECT $1, $2, id, ARRAY[provider_instance_name || '-granted-1', provider_instance_name || '-granted-2', provider_instance_name || '-forbidden']
       FROM llm_providers WHERE provider_instance_name IN ('openai', 'anthropic', 'google')`,
    [person.tenantId, person.userId],
  );
});
beforeEach(async () => {
  await expect.poll(async () => (await ask('openai-chat', {})).status).toBe(200);
});
afterAll(async () => {
  await gateway.stop();
  await provider.close();
});

const user = { role: 'user', content: 'Explain what a mutex is' };
const text = { text: 'Explain what a mutex is' };

interface Dialect {
  readonly vendor: string;
  readonly path: string;
  readonly body: object;
}

const dialects = {
  'openai-chat': {
    vendor: 'openai',
    path: '/v1/chat/completions',
    body: { model: `openai-${model}`, messages: [user] },
  },
  'openai-responses': {
    vendor: 'openai',
    path: '/v1/responses',
    body: { model: `openai-${model}`, input: [user] },
  },
  'anthropic-messages': {
    vendor: 'anthropic',
    path: '/v1/messages',
    body: { model: `anthropic-${model}`, max_tokens: 9, messages: [user] },
  },
  'count of tokens': {
    vendor: 'anthropic',
    path: '/v1/messages/count_tokens',
    body: { model: `anthropic-${model}`, messages: [user] },
  },
  gemini: {
    vendor: 'google',
    path: `/v1beta/models/google-${model}:generateContent`,
    body: { contents: [{ parts: [text] }] },
  },
  embeddings: { vendor: 'openai', path: '/v1/embeddings', body: { model: `openai-${model}`, input: 'a' } },
} satisfies Record<string, Dialect>;
type DialectName = keyof typeof dialects;

async function ask(dialect: DialectName, more: object) {
  const { body, path } = dialects[dialect];
  provider.calls.length = 0;
  const answer = await fetch(`${gateway.origin}/api${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${person.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ ...body, ...more }),
  });
  return { status: answer.status, text: await answer.text(), calls: provider.calls.length };
}

type Write = (name: string) => object;

/** For every dialect with providers or intermediaries that know the field. */
const anywhere: Readonly<Record<string, Write>> = {
  'models[0]': (name) => ({ models: [name] }),
  models: (name) => ({ models: name }),
  'models.first': (name) => ({ models: { first: name } }),
  'models[0].id': (name) => ({ models: [{ id: name }] }),
  'fallbacks[0]': (name) => ({ fallbacks: [name] }),
  'fallbacks[0].model': (name) => ({ fallbacks: [{ model: name, speed: 'fast', max_tokens: 9 }] }),
  fallback_model: (name) => ({ fallback_model: name }),
  'fallbackModels[0]': (name) => ({ fallbackModels: [name] }),
  'extra_body.model': (name) => ({ extra_body: { model: name } }),
  'extra_body.models[0]': (name) => ({ extra_body: { models: [name] } }),
  'extra_body.provider.model': (name) => ({ extra_body: { provider: { model: name } } }),
  'context_window_fallbacks[0].any[0]': (name) => ({ context_window_fallbacks: [{ any: [name] }] }),
  lora_path: (name) => ({ lora_path: name }),
  adapter_name: (name) => ({ adapter_name: name }),
  route: (name) => ({ route: name }),
  'provider.model': (name) => ({ provider: { model: name } }),
  'speculative_config.draft_model': (name) => ({ speculative_config: { draft_model: name } }),
  safety_model: (name) => ({ safety_model: name }),
  deployment_id: (name) => ({ deployment_id: name }),
  'tools[0].model': (name) => ({ tools: [{ type: 'advisor_20260301', name: 'advisor', model: name }] }),
  'tools[0].tools[0].model': (name) => ({
    tools: [{ type: 'namespace', name: 'a', tools: [{ type: 'image_generation', model: name }] }],
  }),
  'tools[0].parameters.model': (name) => ({
    tools: [{ type: 'openrouter:fusion', parameters: { model: name } }],
  }),
  'plugins[0].model': (name) => ({ plugins: [{ id: 'web', model: name }] }),
  'plugins[0].models[0]': (name) => ({ plugins: [{ id: 'web', models: [name] }] }),
  'x.y[0].z.model_name': (name) => ({ x: { y: [{ z: { model_name: name } }] } }),
  'generationConfig.routingConfig.manualMode.modelName': (name) => ({
    generationConfig: { routingConfig: { manualMode: { modelName: name } } },
  }),
};

const more: Readonly<Record<DialectName, Readonly<Record<string, Write>>>> = {
  'openai-chat': {
    'messages[0].model': (name) => ({ messages: [{ ...user, model: name }] }),
    'web_search_options.model': (name) => ({ web_search_options: { model: name } }),
  },
  'openai-responses': {
    'input[1].tools[0].model': (name) => ({
      input: [user, { type: 'additional_tools', tools: [{ type: 'image_generation', model: name }] }],
    }),
    'input[1].tools[0].tools[0].model': (name) => ({
      input: [
        user,
        { type: 'tool_search_output', tools: [{ type: 'namespace', tools: [{ type: 'a', model: name }] }] },
      ],
    }),
  },
  'anthropic-messages': {
    'messages[1].content[0].tool.definition.model': (name) => ({
      messages: [
        user,
        {
          role: 'system',
          content: [
            { type: 'tool_addition', tool: { definition: { type: 'advisor_1', name: 'a', model: name } } },
          ],
        },
      ],
    }),
  },
  'count of tokens': {},
  gemini: {
    'generation_config.routing_config.manual_mode.model_name': (name) => ({
      generation_config: { routing_config: { manual_mode: { model_name: name } } },
    }),
    'generationConfig.routingConfig.manualMode.modelName': (name) => ({
      generationConfig: {
        routingConfig: {
          manualMode: { modelName: `projects/p/locations/l/publishers/google/models/${name}` },
        },
      },
    }),
    'generationConfig.modelConfig.name': (name) => ({ generationConfig: { modelConfig: { name } } }),
  },
  embeddings: {},
};

/** Tool schemas and generation configs differ too much for the dialects whose bodies are validated. */
const unreadable: Readonly<Partial<Record<DialectName, RegExp>>> = {
  gemini: /^(tools|plugins)/,
};

const cases = Object.keys(dialects).flatMap((name) => {
  // safe because its keys are the dialects
  const dialect = name as DialectName;
  const places = Object.entries({ ...anywhere, ...more[dialect] });
  return places
    .filter(([path]) => !unreadable[dialect]?.test(path))
    .map(([path, write]) => [dialect, path, write] as const);
});

describe('other models named in a request', () => {
  it.each(cases)(
    'another model in a %s request is checked against grants and blacklist at %s',
    async (dialect, path, write) => {
      const { vendor } = dialects[dialect];
      for (const [name, status] of names) {
        const answer = await ask(dialect, write(`${vendor}-${name}`));
        expect([name, answer]).toEqual([
          name,
          status === 200
            ? { status, text: expect.any(String), calls: 1 }
            : { status, text: expect.stringContaining(`'${path}'`), calls: 0 },
        ]);
      }
    },
  );

  it.each(Object.keys(dialects))(
    'another model in an unknown field of a %s request is recognized by its name',
    async (name) => {
      // safe because its keys are the dialects
      const dialect = name as DialectName;
      const { vendor } = dialects[dialect];
      expect(await ask(dialect, { x_backup: [`${vendor}-not-granted`] })).toMatchObject({
        status: 404,
        calls: 0,
      });
      expect(await ask(dialect, { x_backup: [`${vendor}-granted-2`] })).toMatchObject({
        status: 200,
        calls: 1,
      });
      expect(await ask(dialect, { x_backup: ['a word'] })).toMatchObject({ status: 200, calls: 1 });
    },
  );

  /** Places whose key does not say that they name a model. */
  const unnamed: Readonly<Record<string, Write>> = {
    x_backup: (name) => ({ x_backup: name }),
    'x_backup.NAME': (name) => ({ x_backup: { [name]: { weight: 1 } } }),
    NAME: (name) => ({ [name]: { weight: 1 } }),
    'models.NAME': (name) => ({ models: { [name]: {} } }),
    'models[0].type': (name) => ({ models: [{ type: name }] }),
    'x.type': (name) => ({ x: { type: name } }),
    'x.format': (name) => ({ x: { format: name } }),
    'metadata.routing.models[0]': (name) => ({ metadata: { routing: { models: [name] } } }),
    'metadata.models[0]': (name) => ({ metadata: { models: [name] } }),
    'headers.x-use': (name) => ({ headers: { 'x-use': name } }),
    'extra_headers.x-use': (name) => ({ extra_headers: { 'x-use': name } }),
  };
  const unnamedCases = Object.keys(dialects).flatMap((dialect) =>
    // safe because its keys are the dialects
    Object.entries(unnamed).map(([path, write]) => [dialect as DialectName, path, write] as const),
  );

  it.each(unnamedCases)(
    'another model in a %s request is recognized by its name or the blacklist at %s',
    async (dialect, path, write) => {
      const { vendor } = dialects[dialect];
      const cases = [
        ['not-granted', 404],
        ['forbidden', 403],
        ['never-offered-forbidden', 403],
        ['granted-2', 200],
      ] as const;
      for (const [word, status] of cases) {
        const name = `${vendor}-${word}`;
        const answer = await ask(dialect, write(name));
        const text = status === 200 ? '' : `'${path.replace('NAME', name)}'`;
        expect([word, answer]).toMatchObject([word, { status, text: expect.stringContaining(text) }]);
      }
    },
  );

  it.each(['preset', 'plugins[0].id', 'models[0]'])(
    'a request that lets the provider pick the model is rejected: %s',
    async (path) => {
      const name = path === 'models[0]' ? '@preset/mine' : 'auto-router';
      const bodies: Record<string, object> = {
        preset: { preset: name },
        'plugins[0].id': { plugins: [{ id: name }] },
        'models[0]': { models: [name] },
      };
      const answer = await ask('openai-chat', bodies[path] ?? {});
      expect(answer).toMatchObject({ status: 400, text: expect.stringContaining(`'${path}'`), calls: 0 });
    },
  );
});

describe('harmless model names', () => {
  const name = 'openai-not-granted';
  const schema = { type: 'object', properties: { model: { type: 'string', enum: [name] } } };

  it.each<[string, DialectName, object]>([
    ['as text', 'openai-chat', { messages: [{ role: 'user', content: name }] }],
    [
      'as a part of a text',
      'openai-chat',
      { messages: [{ role: 'user', content: [{ type: 'text', text: name }] }] },
    ],
    ['as a label', 'openai-chat', { metadata: { model: name }, user: name, prompt_cache_key: name }],
    [
      'in the schema of a tool',
      'openai-chat',
      { tools: [{ type: 'function', function: { name: 'f', parameters: schema } }] },
    ],
    [
      'in the schema of the answer',
      'openai-chat',
      { response_format: { type: 'json_schema', json_schema: { name: 'a', schema } } },
    ],
    [
      'in what a tool is called with',
      'openai-responses',
      { input: [user, { type: 'function_call', call_id: 'c', name: 'f', arguments: `{"model":"${name}"}` }] },
    ],
    [
      'in what a tool says',
      'anthropic-messages',
      {
        messages: [
          { role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'f', input: { model: name } }] },
          { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content: name }] },
        ],
      },
    ],
    [
      'in arguments and results of functions',
      'gemini',
      {
        contents: [
          { role: 'model', parts: [{ functionCall: { name: 'f', args: { model: name } } }] },
          { role: 'user', parts: [{ functionResponse: { name: 'f', response: { model: name } } }] },
        ],
      },
    ],
  ])('the name of a model without a grant is accepted %s', async (_, dialect, body) => {
    expect(await ask(dialect, body)).toMatchObject({ status: 200, calls: 1 });
  });
});
