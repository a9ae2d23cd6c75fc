/**
 * Requests that name another model than the granted one, in every dialect and in every field that a vendor or an
 * intermediary supports.
 */

export const grantedModel = 'granted-1';
export const user = { role: 'user', content: 'Explain what a mutex is' };
const text = { text: 'Explain what a mutex is' };

export interface Dialect {
  readonly vendor: string;
  readonly path: string;
  readonly body: object;
}

export const dialects = {
  'openai-chat': {
    vendor: 'openai',
    path: '/v1/chat/completions',
    body: { model: `openai-${grantedModel}`, messages: [user] },
  },
  'openai-responses': {
    vendor: 'openai',
    path: '/v1/responses',
    body: { model: `openai-${grantedModel}`, input: [user] },
  },
  'anthropic-messages': {
    vendor: 'anthropic',
    path: '/v1/messages',
    body: { model: `anthropic-${grantedModel}`, max_tokens: 9, messages: [user] },
  },
  'count of tokens': {
    vendor: 'anthropic',
    path: '/v1/messages/count_tokens',
    body: { model: `anthropic-${grantedModel}`, messages: [user] },
  },
  gemini: {
    vendor: 'google',
    path: `/v1beta/models/google-${grantedModel}:generateContent`,
    body: { contents: [{ parts: [text] }] },
  },
  embeddings: {
    vendor: 'openai',
    path: '/v1/embeddings',
    body: { model: `openai-${grantedModel}`, input: 'a' },
  },
  compaction: {
    vendor: 'openai',
    path: '/v1/responses/compact',
    body: { model: `openai-${grantedModel}`, input: [user] },
  },
  'count of response tokens': {
    vendor: 'openai',
    path: '/v1/responses/input_tokens',
    body: { model: `openai-${grantedModel}`, input: [user] },
  },
  'count of Gemini tokens': {
    vendor: 'google',
    path: `/v1beta/models/google-${grantedModel}:countTokens`,
    body: { contents: [{ parts: [text] }] },
  },
  'Gemini embedding': {
    vendor: 'google',
    path: `/v1beta/models/google-${grantedModel}:embedContent`,
    body: { content: { parts: [text] } },
  },
  'batch of Gemini embeddings': {
    vendor: 'google',
    path: `/v1beta/models/google-${grantedModel}:batchEmbedContents`,
    body: { requests: [{ model: `models/google-${grantedModel}`, content: { parts: [text] } }] },
  },
} satisfies Record<string, Dialect>;
export type DialectName = keyof typeof dialects;

export type Write = (name: string) => object;

/** Fields for every dialect, by the provider or intermediary that supports them. */
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
  engine: (name) => ({ engine: name }),
  'llm.name': (name) => ({ llm: { name } }),
  safety_model: (name) => ({ safety_model: ` ${name}\n` }),
  'fallback\uff3fmodel': (name) => ({ 'fallback\uff3fmodel': name }),
  'provider.model': (name) => ({ provider: { model: name } }),
  'speculative_config.draft_model': (name) => ({ speculative_config: { draft_model: name } }),
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
  compaction: {},
  'count of response tokens': {},
  'count of Gemini tokens': {
    'generateContentRequest.model': (name) => ({
      generateContentRequest: { model: `models/${name}`, contents: [{ parts: [text] }] },
    }),
  },
  'Gemini embedding': {},
  'batch of Gemini embeddings': {
    'requests[0].fallback_model': (name) => ({
      requests: [{ content: { parts: [text] }, fallback_model: `models/${name}` }],
    }),
  },
};

/**
 * Fields that are not tested in dialects with validated bodies, since tool schemas and generation configs differ too
 * much.
 */
const unreadable: Readonly<Partial<Record<DialectName, RegExp>>> = {
  gemini: /^(tools|plugins)/,
  'count of Gemini tokens': /^(tools|plugins)/,
};

export const cases = Object.keys(dialects).flatMap((name) => {
  // safe because the keys are the dialects
  const dialect = name as DialectName;
  const places = Object.entries({ ...anywhere, ...more[dialect] });
  return places
    .filter(([path]) => !unreadable[dialect]?.test(path))
    .map(([path, write]) => [dialect, path, write] as const);
});
