import type { ProviderKey } from '#providers/registry.ts';

const providers: Readonly<Record<string, ProviderKey>> = {
  openai: 'openai',
  'text-completion-openai': 'openai',
  azure: 'azure_openai',
  anthropic: 'anthropic',
  gemini: 'google',
  cohere: 'cohere',
  cohere_chat: 'cohere',
  mistral: 'mistral',
  codestral: 'mistral',
  deepseek: 'deepseek',
  groq: 'groq',
  xai: 'xai',
  openrouter: 'openrouter',
  together_ai: 'together',
  fireworks_ai: 'fireworks',
  perplexity: 'perplexity',
  moonshot: 'moonshot',
  huggingface: 'huggingface',
  ollama: 'ollama',
  ollama_chat: 'ollama',
  hosted_vllm: 'vllm',
  vllm: 'vllm',
  openai_like: 'custom',
  custom_openai: 'custom',
  litellm_proxy: 'custom',
  lm_studio: 'custom',
  llamafile: 'custom',
  azure_ai: 'custom',
};

/** Providers whose authentication methods Sluice does not support. */
const unsupported = ['bedrock', 'vertex_ai', 'vertex_ai_beta', 'sagemaker', 'sagemaker_chat', 'watsonx'];

/** Model name patterns of providers whose models LiteLLM accepts without a prefix. */
const bareNames: readonly (readonly [RegExp, string])[] = [
  [/^(gpt-|chatgpt-|o\d|text-embedding-|ft:)/, 'openai'],
  [/^claude-/, 'anthropic'],
  [/^command/, 'cohere'],
];

export interface FoundProvider {
  /** Provider name in LiteLLM. */
  readonly prefix: string;
  readonly key: ProviderKey;
  readonly model: string;
}

/** Returns the provider of a deployment, or the reason why Sluice cannot use it. */
export function findProvider(
  model: string,
  { custom, endpoint }: { readonly custom: string | null; readonly endpoint: string | null },
): FoundProvider | string {
  const separator = model.indexOf('/');
  const first = model.slice(0, Math.max(separator, 0));
  const prefix = custom ?? (Object.hasOwn(providers, first) || unsupported.includes(first) ? first : null);
  const bare = prefix !== null && first === prefix ? model.slice(separator + 1) : model;
  const guessed = prefix ?? bareNames.find(([pattern]) => pattern.test(model))?.[1] ?? first;
  if (unsupported.includes(guessed)) return `Sluice does not support the provider ${guessed}`;
  const key = Object.hasOwn(providers, guessed) ? providers[guessed] : undefined;
  if (key === 'openai' && endpoint !== null && !/^https:\/\/api\.openai\.com(\/|$)/.test(endpoint))
    return { prefix: guessed, key: 'custom', model: bare };
  if (key !== undefined) return { prefix: guessed, key, model: bare };
  if (endpoint !== null)
    return {
      prefix: guessed,
      key: 'custom',
      model: first === guessed && first !== '' ? model.slice(separator + 1) : model,
    };
  return guessed === ''
    ? `the provider of the model ${model} is unknown`
    : `Sluice does not have the provider ${guessed}; add an OpenAI-compatible instance with its URL`;
}

/** Returns the variables from which LiteLLM reads the API key of a deployment without a key. */
export function defaultKeyVariables({ key, prefix }: FoundProvider): string[] {
  const names = [`${prefix.toUpperCase()}_API_KEY`];
  if (key === 'google') names.push('GOOGLE_API_KEY');
  if (key === 'together') names.push('TOGETHERAI_API_KEY');
  return names;
}
