import { readNames } from './discovery.ts';
import type { Provider } from './provider.ts';

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
  // In a header, since URLs end up in logs.
  authorize: (apiKey) => ({ 'x-goog-api-key': apiKey }),
};

const readModels = readNames('supportedGenerationMethods', ['generateContent', 'embedContent']);

/** Google lists its models with a `models/` prefix. */
function pathOf(model: string): string {
  return `/v1beta/models/${encodeURIComponent(model.replace(/^models\//, ''))}`;
}
