import { toNanoUsd } from '@sluice/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createSystemDatabase } from '#db/system.ts';
import { postEntries } from '#ledger/post.ts';
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

// Id of another tenant's object at the provider, stored under the operator's key.
const stolen = 'kept_0f3a';

let provider: ScriptedProvider;
let gateway: TestGateway;

const vendors = [
  { providerKey: 'openai', root: '/v1', model: 'gpt' },
  { providerKey: 'anthropic', root: '', model: 'claude' },
  { providerKey: 'google', root: '', model: 'gemini' },
];

const answers: readonly (readonly [path: RegExp, answer: string])[] = [
  [/count_tokens$/, '{"input_tokens":3}'],
  [/countTokens$/, '{"totalTokens":3}'],
  [/chat\/completions$/, completionText],
  [/responses$/, responseText],
  [/messages$/, messageText],
  [/generateContent$/, generatedText],
  [/embeddings$/, '{"object":"list","model":"m","data":[{"object":"embedding","index":0,"embedding":[1]}]}'],
];

beforeAll(async () => {
  provider = await startScriptedProvider((response, call) => {
    const [, answer = '{}'] = answers.find(([path]) => path.test(call.path)) ?? [];
    answerWith(200, answer)(response, call);
  });
  gateway = await startGateway({
    async seed({ addInstance, pool, tenantId }) {
      for (const { providerKey, root, model } of vendors) {
        await addInstance({
          name: model,
          providerKey,
          endpoint: `${provider.origin}${root}`,
          models: [model],
        });
      }
      await pool.query('UPDATE llm_providers SET is_service_managed = true');
      await pool.query(
        `INSERT INTO price_overrides (tenant_id, llm_provider_id, model, price)
         SELECT tenant_id, id, enabled_models[1], '{"input":3,"output":15}' FROM llm_providers WHERE enabled_models <> '{}'`,
      );
      const amount = toNanoUsd(100);
      const credit = { tenantId, amount, source: 'test/1', description: 'test', actorId: null };
      await createSystemDatabase(pool).transaction((tx) =>
        postEntries(tx, [{ ...credit, kind: 'recharge' }]),
      );
    },
  });
});
afterAll(async () => {
  await gateway.stop();
  await provider.close();
});
beforeEach(() => {
  provider.calls.length = 0;
});

async function post(path: string, body: object | string) {
  const answer = await fetch(`${gateway.origin}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${gateway.apiKey}`, 'content-type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  return { status: answer.status, text: await answer.text() };
}

const sent = () => provider.calls.map(({ body }) => body.toString()).join('\n');

const chat = (more: object, message: object = {}) => ({
  model: 'gpt',
  messages: [{ role: 'user', content: 'Hello', ...message }],
  ...more,
});
const responses = (more: object, ...items: object[]) => ({
  model: 'gpt',
  input: [{ role: 'user', content: 'Hello' }, ...items],
  ...more,
});
const messages = (more: object, ...blocks: object[]) => ({
  model: 'claude',
  max_tokens: 100,
  messages: [{ role: 'user', content: [{ type: 'text', text: 'Hello' }, ...blocks] }],
  ...more,
});
const contents = (more: object, ...parts: object[]) => ({
  contents: [{ role: 'user', parts: [{ text: 'Hello' }, ...parts] }],
  ...more,
});
const toolResult = (block: object) => ({ type: 'tool_result', tool_use_id: 't', content: [block] });
const kept = { type: 'file', file_id: stolen };

const chatLeaks: Readonly<Record<string, object | string>> = {
  'audio.id of a previous response': {
    model: 'gpt',
    messages: [
      { role: 'assistant', audio: { id: stolen } },
      { role: 'user', content: 'Read it out' },
    ],
  },
  'a file by its id': chat({}, { content: [{ type: 'file', file: { file_id: stolen } }] }),
  "a file in a tool's output": {
    model: 'gpt',
    messages: [
      { role: 'user', content: 'Hello' },
      { role: 'tool', tool_call_id: 'c', content: [{ type: 'file', file: { file_id: stolen } }] },
    ],
  },
  'a custom voice': chat({ audio: { format: 'mp3', voice: { id: stolen } } }),
  'the id of a voice': chat({ audio: { format: 'mp3', voice: stolen } }),
  'a stored preset': chat({ preset: stolen }),
  'data sources': chat({ data_sources: [{ type: 'azure_search', parameters: { index_name: stolen } }] }),
  'a document library': chat({ tools: [{ type: 'document_library', library_ids: [stolen] }] }),
  "a cache in Google's extras": chat({ extra_body: { google: { cached_content: stolen } } }),
  'a key in another case': chat({}, { content: [{ type: 'file', file: { File_ID: stolen } }] }),
  'a duplicate key': `{"model":"gpt","messages":[{"role":"user","content":[{"type":"file","file":{"file_id":"${stolen}","file_id":null,"file_data":"data:text/plain,a"}}]}]}`,
  'an escaped duplicate key': `{"model":"gpt","messages":[{"role":"user","content":"Hello","audio":{"id":"${stolen}"},"\\u0061udio":null}]}`,
};

const responsesLeaks: Readonly<Record<string, object | string>> = {
  'an item without a type': responses({}, { id: stolen }),
  'an item of type null': responses({}, { id: stolen, type: null }),
  'an item_reference': responses({}, { id: stolen, type: 'item_reference' }),
  'an item_reference in another case': responses({}, { ID: stolen, Type: 'item_reference' }),
  'a previous response': responses({ previous_response_id: stolen }),
  'a previous response in another case': responses({ Previous_Response_Id: stolen }),
  'a conversation': responses({ conversation: { id: stolen } }),
  'a stored prompt': responses({ prompt: { id: stolen } }),
  "a file in a tool's output": responses(
    {},
    { type: 'function_call', call_id: 'c', name: 'f', arguments: '{}' },
    { type: 'function_call_output', call_id: 'c', output: [{ type: 'input_file', file_id: stolen }] },
  ),
  'a screenshot in the output of a computer call': responses(
    {},
    { type: 'computer_call_output', call_id: 'c', output: { type: 'computer_screenshot', file_id: stolen } },
  ),
  'an image by its id': responses({}, { role: 'user', content: [{ type: 'input_image', file_id: stolen }] }),
  container_id: responses(
    {},
    { type: 'code_interpreter_call', id: stolen, code: '1', container_id: stolen, outputs: [] },
  ),
  'a container by its id': responses({ tools: [{ type: 'code_interpreter', container: stolen }] }),
  'files for a container': responses({
    tools: [{ type: 'code_interpreter', container: { type: 'auto', file_ids: [stolen] } }],
  }),
  'a shell in a container': responses({
    tools: [{ type: 'shell', environment: { type: 'container_reference', container_id: stolen } }],
  }),
  skill_id: responses({
    tools: [
      {
        type: 'shell',
        environment: { type: 'container_auto', skills: [{ type: 'skill_reference', skill_id: stolen }] },
      },
    ],
  }),
  'a vector store': responses({ tools: [{ type: 'file_search', vector_store_ids: [stolen] }] }),
  'a mask by its id': responses({
    tools: [{ type: 'image_generation', input_image_mask: { file_id: stolen } }],
  }),
  'a previously generated image': responses({}, { type: 'image_generation_call', id: stolen }),
  'a duplicate key': `{"model":"gpt","input":[{"role":"user","content":"Hello"},{"type":"item_reference","id":"${stolen}","type":"message","role":"user","content":"a"}]}`,
};

const messagesLeaks: Readonly<Record<string, object | string>> = {
  'a document by its id': messages({}, { type: 'document', source: kept }),
  "an image in a tool's result": messages({}, toolResult({ type: 'image', source: kept })),
  'a file for the container': messages({}, { type: 'container_upload', file_id: stolen }),
  'a container': messages({ container: stolen }),
  skill_id: messages({ container: { skills: [{ type: 'custom', skill_id: stolen }] } }),
  'a file written by code execution': messages(
    {},
    {
      type: 'code_execution_tool_result',
      tool_use_id: 't',
      content: {
        type: 'code_execution_result',
        content: [{ type: 'code_execution_output', file_id: stolen }],
      },
    },
  ),
  'a document within a document': messages(
    {},
    { type: 'document', source: { type: 'content', content: [{ type: 'image', source: kept }] } },
  ),
  'a file in the system text': messages({ system: [{ type: 'text', text: 'a', source: kept }] }),
  'a key in another case': messages(
    {},
    { type: 'document', source: { ...kept, type: 'base64', File_Id: stolen } },
  ),
  'a duplicate key': `{"model":"claude","max_tokens":9,"messages":[{"role":"user","content":[{"type":"document","source":{"type":"file","file_id":"${stolen}","type":"text","media_type":"text/plain","data":"a","file_id":null}}]}]}`,
};

const contentsLeaks: Readonly<Record<string, object | string>> = {
  'a cache': contents({ cachedContent: stolen }),
  'a cache with underscores': contents({ cached_content: stolen }),
  'a file': contents(
    {},
    { fileData: { fileUri: `https://generativelanguage.googleapis.com/v1beta/files/${stolen}` } },
  ),
  'a file with an unusual URL': contents(
    {},
    { file_data: { file_uri: `HTTPS://a@GenerativeLanguage.googleapis.com.:443/v1beta/files/${stolen}` } },
  ),
  'a file by its name': contents({}, { fileData: { fileUri: `files/${stolen}` } }),
  'an object in a bucket': contents({}, { fileData: { fileUri: `gs://bucket/${stolen}` } }),
  "a file in a function's response": contents(
    {},
    {
      functionResponse: {
        name: 'f',
        response: {},
        parts: [{ fileData: { fileUri: `gs://bucket/${stolen}` } }],
      },
    },
  ),
  fileSearchStoreNames: contents({ tools: [{ fileSearch: { fileSearchStoreNames: [stolen] } }] }),
  'fileSearchStoreNames with underscores': contents({
    tools: { file_search: { file_search_store_names: [stolen] } },
  }),
  'a store to retrieve from': contents({
    tools: [{ retrieval: { vertexAiSearch: { datastore: stolen } } }],
  }),
  'a template': contents({ modelArmorConfig: { promptTemplateName: stolen } }),
  'a key in another case': contents({ CachedContent: stolen }),
  'a duplicate key': `{"contents":[{"parts":[{"fileData":{"fileUri":"gs://${stolen}","fileUri":"https://example.com/a.png"}}]}]}`,
};

const gemini = '/api/v1beta/models/gemini';

describe.each([
  ['chat completions', '/api/v1/chat/completions', chatLeaks],
  ['responses', '/api/v1/responses', responsesLeaks],
  ['messages', '/api/v1/messages', messagesLeaks],
  ['a count of messages', '/api/v1/messages/count_tokens', messagesLeaks],
  ['contents', `${gemini}:generateContent`, contentsLeaks],
  ['streamed contents', `${gemini}:streamGenerateContent?alt=sse`, contentsLeaks],
  [
    'a count of contents',
    `${gemini}:countTokens`,
    {
      ...contentsLeaks,
      'a whole request inside': contents({
        generateContentRequest: { model: 'models/gemini', cachedContent: stolen, ...contents({}) },
      }),
    },
  ],
  ['embeddings', '/api/v1/embeddings', { 'a file': { model: 'gpt', input: 'a', file_id: stolen } }],
])('shared account: %s', (_, path, leaks) => {
  it.each(Object.entries(leaks))(
    'a request to a shared account is rejected if it names stored data: %s',
    async (_name, body) => {
      const { status, text } = await post(path, body);
      expect(sent()).not.toContain(stolen);
      expect([status, text]).toEqual([
        400,
        expect.stringMatching(/invalid_request|invalid_argument|INVALID/i),
      ]);
      expect(provider.calls).toHaveLength(0);
    },
  );
});

describe('shared account: translated requests', () => {
  it.each([
    [
      'a chat with a file to Google',
      '/api/v1/chat/completions',
      {
        ...chat(
          {},
          {
            content: [
              { type: 'text', text: 'Hello' },
              {
                type: 'image_url',
                image_url: { url: `https://generativelanguage.googleapis.com/v1beta/files/${stolen}` },
              },
            ],
          },
        ),
        model: 'gemini',
      },
    ],
    [
      "contents with a bucket's object to Google's chat",
      '/api/v1/chat/completions',
      {
        ...chat({}, { content: [{ type: 'image_url', image_url: { url: `gs://bucket/${stolen}` } }] }),
        model: 'gemini',
      },
    ],
    [
      'a message with a file to OpenAI',
      '/api/v1/messages',
      {
        ...messages({}, { type: 'document', source: kept }),
        model: 'gpt',
      },
    ],
  ])(
    'a translated request to a shared account is rejected if it names stored data: %s',
    async (_, path, body) => {
      const { status } = await post(path, body);
      expect(sent()).not.toContain(stolen);
      expect(status).toBe(400);
    },
  );
});

describe('shared account: self-contained requests', () => {
  it.each([
    ['/api/v1/chat/completions', chat({ temperature: 1, metadata: { file_id: 'a label' } })],
    ['/api/v1/responses', responses({ store: false, previous_response_id: null, prompt_cache_key: 'k' })],
    ['/api/v1/messages', messages({ metadata: { user_id: 'u' } }, toolResult({ type: 'text', text: 'a' }))],
    ['/api/v1/messages/count_tokens', messages({})],
    [
      `${gemini}:generateContent`,
      contents({ safetySettings: [] }, { inlineData: { mimeType: 'image/png', data: 'a' } }),
    ],
    [`${gemini}:countTokens`, contents({})],
    ['/api/v1/embeddings', { model: 'gpt', input: ['a', 'b'] }],
  ])('a self-contained request is accepted at a shared account: %s', async (path, body) => {
    const { status, text } = await post(path, body);
    expect([status, text]).toEqual([200, expect.any(String)]);
    expect(provider.calls).toHaveLength(1);
  });

  it('history items are sent to a shared account without ids that could reveal stored data', async () => {
    const items = [
      { type: 'reasoning', id: stolen, summary: [], encrypted_content: 'gAAAAe' },
      { type: 'message', id: stolen, role: 'assistant', content: [{ type: 'output_text', text: 'Hi' }] },
      { type: 'function_call', id: stolen, call_id: 'c', name: 'f', arguments: '{}' },
      { type: 'function_call_output', id: stolen, call_id: 'c', output: 'a' },
    ];
    const { status } = await post('/api/v1/responses', responses({ store: false }, ...items));
    expect(status).toBe(200);
    const { input } = JSON.parse(sent());
    expect(input.slice(1)).toEqual(items.map(({ id: _, ...item }) => item));
  });
});

describe('shared account: hosted tools', () => {
  const search = { type: 'web_search' };

  it.each([
    ['/api/v1/responses', responses({}, { type: 'additional_tools', tools: [search] }), 'input[1].tools[0]'],
    [
      '/api/v1/responses',
      responses({}, { type: 'tool_search_output', call_id: 'c', tools: [search] }),
      'input[1].tools[0]',
    ],
    [
      '/api/v1/responses',
      responses({
        tools: [{ type: 'namespace', name: 'a', tools: [{ type: 'function', name: 'f' }, search] }],
      }),
      'tools[0].tools[1]',
    ],
    [
      '/api/v1/responses',
      responses({ tools: [{ type: 'mcp', server_label: 'a', server_url: 'https://example.com' }] }),
      'tools[0]',
    ],
    ['/api/v1/chat/completions', chat({ web_search_options: {} }), 'web_search_options'],
    ['/api/v1/messages', messages({ tools: [{ type: 'web_fetch_20250910', name: 'a' }] }), 'tools[0]'],
    [
      '/api/v1/messages',
      messages({ mcp_servers: [{ type: 'url', name: 'a', url: 'https://example.com' }] }),
      'mcp_servers',
    ],
    [`${gemini}:generateContent`, contents({ tools: [{ googleSearch: {} }] }), 'tools[0]'],
  ])('a hosted tool paid with credits is rejected at %s in %j', async (path, body, place) => {
    const { status, text } = await post(path, body);
    expect([status, text]).toEqual([400, expect.stringContaining(`'${place}' may cost more`)]);
    expect(provider.calls).toHaveLength(0);
  });
});
