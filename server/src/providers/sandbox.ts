import { anthropic } from './anthropic.ts';
import { google } from './google.ts';
import { openaiCompatible, openaiEmbeddings, openaiModelList, openaiResponses } from './openai-compatible.ts';
import { bearer } from './provider.ts';

/** Supports every protocol in the same way as its vendor, and accepts any key. */
export const sandbox = openaiCompatible(
  {
    displayName: 'Sandbox',
    icon: 'sandbox',
    defaultEndpoint: null,
    defaultModel: 'sandbox-normal',
    alsoSpeaks: [
      { ...openaiResponses, takesOpenaiTools: true, path: () => '/v1/responses' },
      anthropic.chat,
      google.chat,
    ],
    embeddings: { ...openaiEmbeddings, path: () => '/v1/embeddings' },
    discovery: { list: { ...openaiModelList, path: '/openai/v1/models' } },
    modelFacts: {
      'sandbox-reasoning': { reasoning: true, reasonsByDefault: true },
      'sandbox-vision': { vision: true },
    },
    isKeyOptional: true,
    isBuiltIn: true,
    authorize: (apiKey) => ({
      ...bearer(apiKey),
      ...anthropic.authorize(apiKey),
      ...google.authorize(apiKey),
    }),
  },
  { path: () => '/v1/chat/completions', dialect: { capField: 'max_completion_tokens' } },
);
