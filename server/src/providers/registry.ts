import {
  azureOpenai,
  openai,
  openaiCompatible,
  openaiEmbeddings,
  openaiModelList,
  openaiResponses,
} from './openai.ts';
import type { Provider } from './provider.ts';
import { anthropic, cohere, google, ollama, sandbox } from './vendors.ts';

/** Supported vendors by provider key. Add an entry to support a vendor. */
export const providers = {
  openai,
  anthropic,
  google,
  deepseek: openaiCompatible(
    {
      displayName: 'DeepSeek',
      icon: 'deepseek',
      addedTokens: { always: 80, withTools: 320 },
      defaultEndpoint: 'https://api.deepseek.com',
      models: ['deepseek-chat', 'deepseek-reasoner'],
      alsoSpeaks: [openaiResponses],
    },
    {
      dialect: {
        reasoningField: 'reasoning_content',
        lacksJsonSchema: true,
        capField: 'max_tokens',
      },
    },
  ),
  mistral: openaiCompatible(
    {
      displayName: 'Mistral',
      icon: 'mistral',
      addedTokens: { always: 8, withTools: 80 },
      defaultEndpoint: 'https://api.mistral.ai/v1',
      models: ['mistral-large-latest', 'mistral-medium-latest', 'mistral-small-latest', 'codestral-latest'],
      defaultModel: 'mistral-small-latest',
      embeddings: openaiEmbeddings,
    },
    {
      dialect: {
        reasoningField: 'thinking',
        seedField: 'random_seed',
        capField: 'max_tokens',
        assistantFields: new Set(['role', 'content', 'tool_calls', 'prefix']),
        toolCallIds: 'nine-alphanumerics',
        tellsUsageUnasked: true,
      },
    },
  ),
  cohere,
  azure_openai: azureOpenai,
  ollama,
  huggingface: openaiCompatible({
    displayName: 'Hugging Face',
    icon: 'huggingface',
    addedTokens: { withTools: 100 },
    defaultEndpoint: 'https://router.huggingface.co/v1',
    discovery: { list: openaiModelList, proof: 'empty-completion' },
    alsoSpeaks: [openaiResponses],
  }),
  groq: openaiCompatible(
    {
      displayName: 'Groq',
      icon: 'groq',
      addedTokens: { always: 70, withTools: 610 },
      defaultEndpoint: 'https://api.groq.com/openai/v1',
      alsoSpeaks: [openaiResponses],
    },
    {
      dialect: {
        reasoningField: 'reasoning',
        assistantFields: new Set(['role', 'name', 'content', 'reasoning', 'tool_calls', 'function_call']),
      },
    },
  ),
  xai: openaiCompatible(
    {
      displayName: 'xAI',
      icon: 'xai',
      addedTokens: { always: 200, withTools: 350 },
      defaultEndpoint: 'https://api.x.ai/v1',
      alsoSpeaks: [openaiResponses],
    },
    { dialect: { reasoningField: 'reasoning_content' } },
  ),
  openrouter: openaiCompatible(
    {
      displayName: 'OpenRouter',
      icon: 'openrouter',
      // Covers reasoning and presets. Tokens added by individual hosts (mostly free ones) are charged but not
      // reserved.
      addedTokens: { always: 32, withTools: 600 },
      defaultEndpoint: 'https://openrouter.ai/api/v1',
      discovery: { list: openaiModelList, proof: { path: () => '/key' } },
      alsoSpeaks: [{ ...openaiResponses, dialect: { reasoningItems: 'of-any' } }],
      embeddings: openaiEmbeddings,
    },
    {
      dialect: {
        reasoningField: 'reasoning',
        takesCacheMarks: true,
        takesImages: true,
        lacksDeveloperRole: false,
        takesReasoningDetails: true,
        takesReasoningBudget: true,
      },
      takesReasoningEffort: 'always',
    },
  ),
  together: openaiCompatible(
    {
      displayName: 'Together',
      icon: 'together',
      addedTokens: { always: 40 },
      defaultEndpoint: 'https://api.together.xyz/v1',
      embeddings: openaiEmbeddings,
    },
    { dialect: { capField: 'max_tokens' } },
  ),
  fireworks: openaiCompatible({
    displayName: 'Fireworks',
    icon: 'fireworks',
    defaultEndpoint: 'https://api.fireworks.ai/inference/v1',
    embeddings: openaiEmbeddings,
  }),
  perplexity: openaiCompatible(
    {
      displayName: 'Perplexity',
      icon: 'perplexity',
      defaultEndpoint: 'https://api.perplexity.ai',
      models: ['sonar', 'sonar-pro', 'sonar-reasoning-pro', 'sonar-deep-research'],
      // Perplexity's model list is for another service.
      discovery: { proof: 'empty-completion' },
    },
    { dialect: { capField: 'max_tokens' } },
  ),
  moonshot: openaiCompatible(
    {
      displayName: 'Moonshot',
      icon: 'moonshot',
      addedTokens: { withTools: 100 },
      defaultEndpoint: 'https://api.moonshot.ai/v1',
    },
    { dialect: { reasoningField: 'reasoning_content' } },
  ),
  vllm: openaiCompatible({
    displayName: 'vLLM',
    icon: 'vllm',
    defaultEndpoint: null,
    endpointExample: 'http://localhost:8000/v1',
    embeddings: openaiEmbeddings,
    isKeyOptional: true,
  }),
  custom: openaiCompatible({
    displayName: 'OpenAI-compatible',
    icon: 'custom',
    defaultEndpoint: null,
    endpointExample: 'https://llm.example.com/v1',
    embeddings: openaiEmbeddings,
    isKeyOptional: true,
  }),
  sandbox,
} satisfies Record<string, Provider>;

export type ProviderKey = keyof typeof providers;

export interface RegisteredVendor {
  readonly providerKey: string;
  readonly displayName: string;
  /** Endpoint of an added vendor. Added vendors use OpenAI's protocol. */
  readonly apiEndpoint: string | null;
}

/** Returns `undefined` if this version does not support the vendor. */
export function toVendorProvider(vendor: RegisteredVendor): Provider | undefined {
  const { apiEndpoint, displayName, providerKey } = vendor;
  if (isBuiltInProvider(providerKey)) return providers[providerKey];
  return apiEndpoint === null
    ? undefined
    : { ...addedVendor, displayName, icon: providerKey, defaultEndpoint: apiEndpoint };
}

/** Keys that are not built in belong to added vendors. */
export function findProvider(providerKey: string): Provider {
  return isBuiltInProvider(providerKey) ? providers[providerKey] : addedVendor;
}

export function isBuiltInProvider(providerKey: string): providerKey is ProviderKey {
  return Object.hasOwn(providers, providerKey);
}

/** The registry entry contains the endpoint of an added vendor. The snapshot assigns it to instances without one. */
const addedVendor: Provider = providers.custom;
