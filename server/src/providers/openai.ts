import { openaiCompatible, openaiEmbeddings, openaiResponses } from './openai-compatible.ts';
import type { ChatService } from './provider.ts';

/** Request rules of OpenAI's models, at OpenAI itself and at Azure. */
export const openaiModels = {
  hasOpenaiModels: true,
  takesReasoningEffort: 'unless-known',
  // All models accept it; reasoning models reject the older name.
  dialect: {
    capField: 'max_completion_tokens',
    reasoningField: 'none',
    reasoningItems: 'of-openai',
    toolCallIds: 'forty-characters',
    takesOpenAiFields: true,
  },
} satisfies Partial<ChatService>;

export const openai = openaiCompatible(
  {
    displayName: 'OpenAI',
    icon: 'openai',
    defaultEndpoint: 'https://api.openai.com/v1',
    models: [
      'gpt-5.1',
      'gpt-5',
      'gpt-5-mini',
      'gpt-5-nano',
      'gpt-4.1',
      'gpt-4o',
      'gpt-4o-mini',
      'gpt-3.5-turbo',
    ],
    defaultModel: 'gpt-3.5-turbo',
    alsoSpeaks: [
      {
        ...openaiResponses,
        ...openaiModels,
        takesOpenaiTools: true,
        tokenCountPath: () => '/responses/input_tokens',
        compactPath: () => '/responses/compact',
      },
    ],
    embeddings: openaiEmbeddings,
    addedTokens: { withTools: 160 },
  },
  openaiModels,
);
