import { readIds, readNames } from './discovery.ts';
import { openaiCompatible, openaiEmbeddings, openaiModelList, openaiResponses } from './openai.ts';
import { bearer, type Provider } from './provider.ts';

export const google: Provider = {
  displayName: 'Google',
  icon: 'google',
  defaultEndpoint: 'https://generativelanguage.googleapis.com',
  endpointForm: 'bare',
  models: [
    'gemini-3-pro-preview',
    'gemini-2.5-pro',
    'gemini-2.5-flash',
    'gemini-2.5-flash-lite',
    'gemini-pro',
  ],
  defaultModel: 'gemini-pro',
  chat: {
    protocol: 'gemini',
    path: (model, isStream) =>
      `${pathOf(model)}:${isStream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
    tokenCountPath: (model) => `${pathOf(model)}:countTokens`,
  },
  embeddings: { protocol: 'gemini', path: (model) => `${pathOf(model)}:batchEmbedContents` },
  discovery: {
    list: {
      path: '/v1beta/models?pageSize=1000',
      read: (answer) => readModels(answer)?.map((name) => name.replace(/^models\//, '')) ?? null,
    },
  },
  isKeyOptional: false,
  addedTokens: { withTools: 50 },
  // The key is sent in a header, since URLs are logged.
  authorize: (apiKey) => ({ 'x-goog-api-key': apiKey }),
};

const readModels = readNames('supportedGenerationMethods', ['generateContent', 'embedContent']);

function pathOf(model: string): string {
  return `/v1beta/models/${encodeURIComponent(model.replace(/^models\//, ''))}`;
}

export const anthropic: Provider = {
  displayName: 'Anthropic',
  icon: 'anthropic',
  defaultEndpoint: 'https://api.anthropic.com',
  endpointForm: 'bare',
  models: ['claude-opus-4-5', 'claude-sonnet-4-5', 'claude-haiku-4-5', 'claude-3-haiku-20240307'],
  defaultModel: 'claude-3-haiku-20240307',
  chat: {
    protocol: 'anthropic-messages',
    path: () => '/v1/messages',
    // A caller that sends a beta header has written its request for that beta.
    callerHeaders: ['anthropic-beta', 'anthropic-version'],
    tokenCountPath: () => '/v1/messages/count_tokens',
  },
  discovery: { list: { path: '/v1/models?limit=1000', read: readIds } },
  isKeyOptional: false,
  addedTokens: { withTools: 600 },
  authorize: (apiKey) => ({ 'x-api-key': apiKey, 'anthropic-version': '2023-06-01' }),
};

export const cohere: Provider = {
  displayName: 'Cohere',
  icon: 'cohere',
  defaultEndpoint: 'https://api.cohere.com',
  endpointForm: 'bare',
  models: ['command-a-03-2025', 'command-r-plus', 'command-r', 'command-r7b-12-2024'],
  defaultModel: 'command-r',
  chat: { protocol: 'cohere', path: () => '/v2/chat' },
  embeddings: { protocol: 'cohere', path: () => '/v2/embed' },
  discovery: { list: { path: '/v1/models?page_size=1000', read: readNames('endpoints', ['chat', 'embed']) } },
  addedTokens: { always: 500, withTools: 1_000 },
  isKeyOptional: false,
  authorize: bearer,
};

const ollamaEmbedders = [
  ...['all-minilm', 'bge-large', 'bge-m3', 'embeddinggemma', 'granite-embedding', 'mxbai-embed-large'],
  ...['nomic-embed-text', 'nomic-embed-text-v2-moe', 'paraphrase-multilingual', 'qwen3-embedding'],
  ...['snowflake-arctic-embed', 'snowflake-arctic-embed2'],
];

export const ollama: Provider = {
  displayName: 'Ollama',
  icon: 'ollama',
  defaultEndpoint: null,
  endpointExample: 'http://localhost:11434',
  endpointForm: 'ollama',
  models: [],
  defaultModel: 'default',
  chat: { protocol: 'ollama', path: () => '/api/chat' },
  embeddings: { protocol: 'ollama', path: () => '/api/embed' },
  discovery: { list: { path: '/api/tags', read: readNames() } },
  // All other models can only turn thinking on or off.
  modelFacts: {
    'gpt-oss': { reasoning: true, efforts: ['low', 'medium', 'high'] },
    ...Object.fromEntries(ollamaEmbedders.map((name) => [name, { answers: 'embeddings' }])),
  },
  addedTokens: { always: 80 },
  isKeyOptional: true,
  authorize: bearer,
};

/** Sandbox vendor. It supports every protocol like the vendor of that protocol, and accepts any key. */
export const sandbox = openaiCompatible(
  {
    displayName: 'Sandbox',
    icon: 'sandbox',
    defaultEndpoint: null,
    defaultModel: 'sandbox-normal',
    alsoSpeaks: [
      { ...openaiResponses, takesOpenaiTools: true, path: () => '/v1/responses' },
      anthropic.chat,
      google.chat,
    ],
    embeddings: { ...openaiEmbeddings, path: () => '/v1/embeddings' },
    discovery: { list: { ...openaiModelList, path: '/openai/v1/models' } },
    modelFacts: {
      'sandbox-reasoning': { reasoning: true, reasonsByDefault: true },
      'sandbox-vision': { vision: true },
      'sandbox-tool': { tools: true },
      'sandbox-tools': { tools: true },
      'sandbox-embedding': { answers: 'embeddings' },
    },
    isKeyOptional: true,
    isBuiltIn: true,
    authorize: (apiKey) => ({
      ...bearer(apiKey),
      ...anthropic.authorize(apiKey),
      ...google.authorize(apiKey),
    }),
  },
  { path: () => '/v1/chat/completions', dialect: { capField: 'max_completion_tokens' } },
);
