import { anthropic } from './anthropic.ts';
import { azureOpenai } from './azure-openai.ts';
import { cohere } from './cohere.ts';
import { google } from './google.ts';
import { ollama } from './ollama.ts';
import { openai } from './openai.ts';
import { openaiCompatible, openaiEmbeddings, openaiModelList, openaiResponses } from './openai-compatible.ts';
import type { Provider } from './provider.ts';
import { sandbox } from './sandbox.ts';

/** The vendors that can serve today, by provider key. A new one is a row here and nothing else. */
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
        fitReasoningEffort: (model, effort) => (/-v[4-9]/.test(model) ? effort : null),
        lacksJsonSchema: true,
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
        fitReasoningEffort: (model, effort) =>
          /^mistral-(small|medium)/.test(model) ? (effort === 'none' ? 'none' : 'high') : null,
        seedField: 'random_seed',
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
        fitReasoningEffort: (model, effort) => (model.includes('gpt-oss') ? effort : null),
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
      // For thinking and presets; what a single host writes before each request (some of the free ones) is only charged.
      addedTokens: { always: 32, withTools: 600 },
      defaultEndpoint: 'https://openrouter.ai/api/v1',
      discovery: { list: openaiModelList, proof: { path: () => '/key' } },
      alsoSpeaks: [openaiResponses],
      embeddings: openaiEmbeddings,
    },
    {
      dialect: {
        reasoningField: 'reasoning',
        takesReasoningDetails: true,
        takesReasoningBudget: true,
        fitReasoningEffort: (_, effort) => effort,
      },
    },
  ),
  together: openaiCompatible({
    displayName: 'Together',
    icon: 'together',
    addedTokens: { always: 40 },
    defaultEndpoint: 'https://api.together.xyz/v1',
    embeddings: openaiEmbeddings,
  }),
  fireworks: openaiCompatible({
    displayName: 'Fireworks',
    icon: 'fireworks',
    defaultEndpoint: 'https://api.fireworks.ai/inference/v1',
    embeddings: openaiEmbeddings,
  }),
  perplexity: openaiCompatible({
    displayName: 'Perplexity',
    icon: 'perplexity',
    defaultEndpoint: 'https://api.perplexity.ai',
    models: ['sonar', 'sonar-pro', 'sonar-reasoning-pro', 'sonar-deep-research'],
    // Its list names the models of another service.
    discovery: { proof: 'empty-completion' },
  }),
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

/** A vendor as the registry of the database has it. */
export interface RegisteredVendor {
  readonly providerKey: string;
  readonly displayName: string;
  /** Where an added vendor speaks OpenAI's protocol. */
  readonly apiEndpoint: string | null;
}

/** A registered vendor, or `undefined` for one this version cannot talk to. */
export function toVendorProvider(vendor: RegisteredVendor): Provider | undefined {
  const { apiEndpoint, displayName, providerKey } = vendor;
  if (isBuiltInProvider(providerKey)) return providers[providerKey];
  return apiEndpoint === null
    ? undefined
    : { ...addedVendor, displayName, icon: providerKey, defaultEndpoint: apiEndpoint };
}

/** How the instances of a vendor are called: a key that does not come with the product is an added vendor's. */
export function findProvider(providerKey: string): Provider {
  return isBuiltInProvider(providerKey) ? providers[providerKey] : addedVendor;
}

export function isBuiltInProvider(providerKey: string): providerKey is ProviderKey {
  return Object.hasOwn(providers, providerKey);
}

/** It is where its registry entry says; the snapshot gives that endpoint to instances that name none. */
const addedVendor: Provider = providers.custom;
