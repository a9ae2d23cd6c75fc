import type { ReasoningEffort } from '#protocols/canonical/request.ts';
import { openaiCompatible, openaiEmbeddings, openaiResponses } from './openai-compatible.ts';

/** Request rules of OpenAI's models, at OpenAI itself and at Azure. */
export const openaiModels = {
  isReasoningModel,
  dialect: {
    fitReasoningEffort,
    reasoningField: 'none',
    reasoningItems: 'of-openai',
    toolCallIds: 'forty-characters',
  },
} as const;

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

/** OpenAI's reasoning models, by the names used so far. */
function isReasoningModel(model: string): boolean {
  return /^(o[1-9]|gpt-5(?!-chat)|codex-)/.test(model);
}

/** Maps an effort to the nearest one that an OpenAI model supports, since some were added later. */
function fitReasoningEffort(model: string, effort: ReasoningEffort): ReasoningEffort | null {
  if (!isReasoningModel(model)) return null;
  if (/^gpt-5\.[1-9]/.test(model)) return effort;
  if (effort === 'xhigh') return 'high';
  const least = model.startsWith('gpt-5') ? 'minimal' : 'low';
  return effort === 'none' || effort === 'minimal' ? least : effort;
}
