import { fitReasoningEffort, isReasoningModel } from './openai-models.ts';
import { bearer, type ChatService, type Provider } from './provider.ts';

const openaiCompatible = (
  displayName: string,
  icon: string,
  defaultEndpoint: string | null,
  chat: Partial<ChatService> = {},
): Provider => ({
  displayName,
  icon,
  defaultEndpoint,
  chat: { protocol: 'openai-chat', path: () => '/chat/completions', ...chat },
  isKeyOptional: false,
  authorize: bearer,
});

/** The vendors that can serve today, by provider key. A new one is a row here and nothing else. */
export const providers = {
  openai: openaiCompatible('OpenAI', 'openai', 'https://api.openai.com/v1', {
    isReasoningModel,
    dialect: { fitReasoningEffort },
  }),
  deepseek: openaiCompatible('DeepSeek', 'deepseek', 'https://api.deepseek.com', {
    dialect: {
      reasoningField: 'reasoning_content',
      fitReasoningEffort: (model, effort) => (/-v[4-9]/.test(model) ? effort : null),
      lacksJsonSchema: true,
    },
  }),
  mistral: openaiCompatible('Mistral', 'mistral', 'https://api.mistral.ai/v1', {
    dialect: {
      reasoningField: 'thinking',
      fitReasoningEffort: (model, effort) =>
        /^mistral-(small|medium)/.test(model) ? (effort === 'none' ? 'none' : 'high') : null,
      seedField: 'random_seed',
      toolCallIds: 'nine-alphanumerics',
      tellsUsageUnasked: true,
    },
  }),
  groq: openaiCompatible('Groq', 'groq', 'https://api.groq.com/openai/v1', {
    dialect: {
      reasoningField: 'reasoning',
      fitReasoningEffort: (model, effort) => (model.includes('gpt-oss') ? effort : null),
    },
  }),
  xai: openaiCompatible('xAI', 'xai', 'https://api.x.ai/v1', {
    dialect: { reasoningField: 'reasoning_content' },
  }),
  openrouter: openaiCompatible('OpenRouter', 'openrouter', 'https://openrouter.ai/api/v1', {
    dialect: { reasoningField: 'reasoning', fitReasoningEffort: (_, effort) => effort },
  }),
  together: openaiCompatible('Together', 'together', 'https://api.together.xyz/v1'),
  fireworks: openaiCompatible('Fireworks', 'fireworks', 'https://api.fireworks.ai/inference/v1'),
  perplexity: openaiCompatible('Perplexity', 'perplexity', 'https://api.perplexity.ai'),
  moonshot: openaiCompatible('Moonshot', 'moonshot', 'https://api.moonshot.ai/v1', {
    dialect: { reasoningField: 'reasoning_content' },
  }),
  huggingface: openaiCompatible('Hugging Face', 'huggingface', 'https://router.huggingface.co/v1'),
  custom: { ...openaiCompatible('OpenAI-compatible', 'custom', null), isKeyOptional: true },
  sandbox: {
    ...openaiCompatible('Sandbox', 'sandbox', null, { path: () => '/v1/chat/completions' }),
    isKeyOptional: true,
    isBuiltIn: true,
  },
} satisfies Record<string, Provider>;

export type ProviderKey = keyof typeof providers;

/** The provider of a key from the database, or `undefined` for one this version does not know. */
export function findProvider(providerKey: string): Provider | undefined {
  return Object.hasOwn(providers, providerKey) ? providers[providerKey as ProviderKey] : undefined; // safe because hasOwn
}
