import { type ModelList, readIds } from './discovery.ts';
import { bearer, type ChatService, type Provider, type Service } from './provider.ts';

export const openaiModelList: ModelList = { path: '/models', read: readIds };

/** Returns a vendor with OpenAI's protocol. `given` and `quirks` contain the deviations from OpenAI. */
export function openaiCompatible(
  given: Pick<Provider, 'displayName' | 'icon' | 'defaultEndpoint'> & Partial<Provider>,
  quirks: Omit<Partial<ChatService>, 'protocol'> = {},
): Provider {
  const dialect = { lacksDeveloperRole: !quirks.hasOpenaiModels, ...quirks.dialect };
  // The models of a vendor accept the same efforts in both of OpenAI's protocols.
  const alsoSpeaks = given.alsoSpeaks?.map((service) =>
    service.protocol === 'openai-responses' ? { dialect, ...service } : service,
  );
  return {
    endpointForm: 'versioned',
    models: [],
    defaultModel: 'default',
    chat: { protocol: 'openai-chat', path: () => '/chat/completions', ...quirks, dialect },
    discovery: { list: openaiModelList },
    isKeyOptional: false,
    authorize: bearer,
    ...given,
    ...(alsoSpeaks && { alsoSpeaks }),
  };
}

export const openaiResponses: ChatService = {
  protocol: 'openai-responses',
  path: () => '/responses',
  dialect: {},
};

export const openaiEmbeddings: Service = { protocol: 'openai-chat', path: () => '/embeddings' };

const openaiModels = {
  hasOpenaiModels: true,
  takesReasoningEffort: 'unless-known',
  callerHeaders: ['openai-beta'],
  // All models accept this field name. Reasoning models reject the older name.
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

/** Azure identifies models by their deployment names. */
export const azureOpenai = openaiCompatible(
  {
    displayName: 'Azure OpenAI',
    icon: 'azure_openai',
    defaultEndpoint: null,
    endpointExample: 'https://YOUR-RESOURCE.openai.azure.com',
    endpointForm: 'azure',
    alsoSpeaks: [
      {
        ...openaiResponses,
        ...openaiModels,
        takesOpenaiTools: true,
        compactPath: (root) => (root.endsWith('/openai/v1') ? '/responses/compact' : null),
        // Endpoints of other styles are older than the Responses API.
        path: (_model, _isStream, root) => (root.endsWith('/openai/v1') ? '/responses' : null),
      },
    ],
    namesDeployments: true,
    addedTokens: { withTools: 160 },
    embeddings: { ...openaiEmbeddings, path: inStyleOf('/embeddings') },
    // Azure lists models that can be deployed, but a request must name a deployment.
    discovery: { proof: { path: findModelsPath } },
    authorize: (apiKey) => ({ 'api-key': apiKey }),
  },
  { ...openaiModels, path: inStyleOf('/chat/completions') },
);

/** All endpoint styles share one URL, so the path depends on the root. */
function findModelsPath(root: string): string {
  if (root.endsWith('/openai/v1')) return '/models';
  return root.endsWith('/openai/deployments') ? '/../models' : '/../openai/models';
}

function inStyleOf(path: string): (model: string, isStream: boolean, root: string) => string {
  return (model, _, root) =>
    root.endsWith('/openai/deployments') ? `/${encodeURIComponent(model)}${path}` : path;
}
