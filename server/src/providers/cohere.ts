import { readNames } from './discovery.ts';
import { bearer, type Provider } from './provider.ts';

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
