const models: Readonly<Record<string, readonly string[]>> = {
  openai: ['gpt-4o', 'gpt-4o-mini', 'gpt-4-turbo', 'gpt-3.5-turbo', 'o1', 'o3-mini'],
  anthropic: ['claude-opus-4-0', 'claude-sonnet-4-0', 'claude-3-7-sonnet-latest', 'claude-3-5-haiku-latest'],
  cohere: ['command-a-03-2025', 'command-r-plus', 'command-r', 'embed-v4.0'],
  google: ['gemini-2.5-pro', 'gemini-2.5-flash', 'gemini-2.0-flash', 'gemini-1.5-pro'],
};

/** Returns well-known models of a provider, including those that no instance enables. */
export const commonModelsOf = (providerKey: string): readonly string[] => models[providerKey] ?? [];
