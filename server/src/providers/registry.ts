import { bearer, type Provider } from './provider.ts';

const openaiCompatible = (displayName: string, icon: string, defaultEndpoint: string | null): Provider => ({
  displayName,
  icon,
  defaultEndpoint,
  chat: { protocol: 'openai-chat', path: '/chat/completions' },
  isKeyOptional: false,
  authorize: bearer,
});

/** The vendors that can serve today, by provider key. A new one is a row here and nothing else. */
export const providers = {
  openai: openaiCompatible('OpenAI', 'openai', 'https://api.openai.com/v1'),
  deepseek: openaiCompatible('DeepSeek', 'deepseek', 'https://api.deepseek.com'),
  mistral: openaiCompatible('Mistral', 'mistral', 'https://api.mistral.ai/v1'),
  groq: openaiCompatible('Groq', 'groq', 'https://api.groq.com/openai/v1'),
  xai: openaiCompatible('xAI', 'xai', 'https://api.x.ai/v1'),
  openrouter: openaiCompatible('OpenRouter', 'openrouter', 'https://openrouter.ai/api/v1'),
  together: openaiCompatible('Together', 'together', 'https://api.together.xyz/v1'),
  fireworks: openaiCompatible('Fireworks', 'fireworks', 'https://api.fireworks.ai/inference/v1'),
  perplexity: openaiCompatible('Perplexity', 'perplexity', 'https://api.perplexity.ai'),
  moonshot: openaiCompatible('Moonshot', 'moonshot', 'https://api.moonshot.ai/v1'),
  huggingface: openaiCompatible('Hugging Face', 'huggingface', 'https://router.huggingface.co/v1'),
  custom: { ...openaiCompatible('OpenAI-compatible', 'custom', null), isKeyOptional: true },
  sandbox: { ...openaiCompatible('Sandbox', 'sandbox', null), isKeyOptional: true },
} satisfies Record<string, Provider>;

export type ProviderKey = keyof typeof providers;

/** The provider of a key from the database, or `undefined` for one this version does not know. */
export function findProvider(providerKey: string): Provider | undefined {
  return Object.hasOwn(providers, providerKey) ? providers[providerKey as ProviderKey] : undefined; // safe because hasOwn
}
