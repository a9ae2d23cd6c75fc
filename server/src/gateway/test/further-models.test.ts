import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Principal } from '#domain/principal.ts';
import { startGateway, type TestGateway } from '#test/console/gateway.ts';
import { itSampled } from '#test/load/sample.ts';
import {
  answerWith,
  completionText,
  generatedText,
  messageText,
  responseText,
  type ScriptedProvider,
  startScriptedProvider,
} from '#test/providers/scripted-provider.ts';
import {
  cases,
  type Dialect,
  type DialectName,
  dialects,
  grantedModel,
  user,
  type Write,
} from '#test/requests/further-models.ts';
import { matchRoute, publicOperations } from '../routes.ts';

const models = [grantedModel, 'granted-2', 'not-granted', 'forbidden'];
const names = [
  ['granted-2', 200],
  ['not-granted', 404],
  ['forbidden', 403],
  ['unknown-9', 404],
  ['nickname', 404],
] as const;

const compactionText = JSON.stringify({
  id: 'resp_1',
  object: 'response.compaction',
  created_at: 1,
  output: [{ type: 'compaction', id: 'cmp_1', encrypted_content: 'abc' }],
  usage: { input_tokens: 3, output_tokens: 2, total_tokens: 5 },
});
const answers: readonly (readonly [path: RegExp, answer: string])[] = [
  [/count_tokens$|input_tokens$/, '{"input_tokens":3}'],
  [/compact$/, compactionText],
  [/batchEmbedContents$/, '{"embeddings":[{"values":[1]}]}'],
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

const withBody = /^(chat\.completions|responses\.compact|embeddings|tokens\.count)$/;

it('the tested dialects cover every operation that sends a body to a provider', () => {
  const tried = Object.values<Dialect>(dialects).map(({ path }) => {
    const match = matchRoute('POST', `/api${path}`);
    return match.kind === 'route' ? `${match.route.protocol.id} ${match.route.operation}` : path;
  });
  const all = publicOperations.filter(({ operation }) => withBody.test(operation));
  const names = all.map(({ protocol, operation }) => `${protocol} ${operation}`);
  expect(new Set(tried)).toEqual(new Set(names));
});

describe('other models named in a request', () => {
  itSampled(2).each(cases)(
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
      // safe because the record's keys are the dialects
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
    // safe because the record's keys are the dialects
    Object.entries(unnamed).map(([path, write]) => [dialect as DialectName, path, write] as const),
  );

  itSampled(4).each(unnamedCases)(
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
      'as a text part',
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
      'in the schema of the response',
      'openai-chat',
      { response_format: { type: 'json_schema', json_schema: { name: 'a', schema } } },
    ],
    [
      'in the arguments of a tool call',
      'openai-responses',
      { input: [user, { type: 'function_call', call_id: 'c', name: 'f', arguments: `{"model":"${name}"}` }] },
    ],
    [
      'in the input and result of a tool',
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
