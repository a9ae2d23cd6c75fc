import { readNames } from './discovery.ts';
import { bearer, type Provider } from './provider.ts';

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
  // Others take thinking on or off only.
  modelFacts: { 'gpt-oss': { reasoning: true, efforts: ['low', 'medium', 'high'] } },
  addedTokens: { always: 80 },
  isKeyOptional: true,
  authorize: bearer,
};
