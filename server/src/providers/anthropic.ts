import { readIds } from './discovery.ts';
import type { Provider } from './provider.ts';

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
    // Callers that request a beta have written their request for it.
    callerHeaders: ['anthropic-beta', 'anthropic-version'],
    tokenCountPath: () => '/v1/messages/count_tokens',
  },
  discovery: { list: { path: '/v1/models?limit=1000', read: readIds } },
  isKeyOptional: false,
  addedTokens: { withTools: 600 },
  authorize: (apiKey) => ({ 'x-api-key': apiKey, 'anthropic-version': '2023-06-01' }),
};
