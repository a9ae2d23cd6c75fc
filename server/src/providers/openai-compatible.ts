import { type ModelList, readIds } from './discovery.ts';
import { bearer, type ChatService, type Provider, type Service } from './provider.ts';

export const openaiModelList: ModelList = { path: '/models', read: readIds };

/** Creates a vendor that uses OpenAI's protocol under a versioned root; `given` contains the deviations. */
export function openaiCompatible(
  given: Pick<Provider, 'displayName' | 'icon' | 'defaultEndpoint'> & Partial<Provider>,
  quirks: Omit<Partial<ChatService>, 'protocol'> = {},
): Provider {
  const { dialect } = quirks;
  // A vendor's models accept the same efforts in both of OpenAI's protocols.
  const alsoSpeaks = given.alsoSpeaks?.map((service) =>
    service.protocol === 'openai-responses' && dialect ? { dialect, ...service } : service,
  );
  return {
    endpointForm: 'versioned',
    models: [],
    defaultModel: 'default',
    chat: { protocol: 'openai-chat', path: () => '/chat/completions', ...quirks },
    discovery: { list: openaiModelList },
    isKeyOptional: false,
    authorize: bearer,
    ...given,
    ...(alsoSpeaks && { alsoSpeaks }),
  };
}

/** OpenAI's Responses API, for callers of it if a vendor serves it too. */
export const openaiResponses: ChatService = {
  protocol: 'openai-responses',
  path: () => '/responses',
  dialect: {},
};

/** OpenAI's embeddings, if a vendor serves them too. */
export const openaiEmbeddings: Service = { protocol: 'openai-chat', path: () => '/embeddings' };
