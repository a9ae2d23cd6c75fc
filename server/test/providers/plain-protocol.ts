import type { ProtocolId } from '#protocols/canonical/content.ts';
import type { CanonicalRequest } from '#protocols/canonical/request.ts';
import type { CanonicalResponse } from '#protocols/canonical/response.ts';
import type { StreamEvent } from '#protocols/canonical/stream-event.ts';
import type { Protocol, ProviderSide, RequestTarget } from '#protocols/protocol.ts';
import { protocols } from '#protocols/registry.ts';
import { bearer, type Provider } from '#providers/provider.ts';
import { providers } from '#providers/registry.ts';
import { replaceEntries } from '../database/replace-entries.ts';

export interface PlainRequest {
  readonly request: CanonicalRequest;
  readonly target: RequestTarget;
}

/**
 * Adds a vendor whose wire format is the canonical form, without `n` and seed, so that tests can inspect requests and
 * define responses. Must be called before a gateway starts. Returns a function that removes the vendor.
 */
export function addPlainVendor(
  providerKey: string,
  id: ProtocolId,
  framing: ProviderSide['framing'],
): () => void {
  const restoreProtocol = replaceEntries(protocols, { [id]: createPlainProtocol(id, framing) });
  const restoreProviders = replaceEntries(providers, { [providerKey]: createPlainVendor(providerKey, id) });
  return () => {
    restoreProtocol();
    restoreProviders();
  };
}

function createPlainProtocol(id: ProtocolId, framing: ProviderSide['framing']): Protocol {
  return {
    id,
    provider: {
      framing,
      *encodeInSteps(request, target) {
        yield 0;
        return this.encodeRequest(request, target);
      },
      encodeRequest(request, target) {
        if (request.count !== undefined && request.count > 1)
          return {
            ok: false,
            problem: { code: 'invalid_request', message: 'There is one answer.', param: 'n' },
          };
        const warnings = request.sampling.seed === undefined ? [] : ['seed'];
        return { ok: true, body: { request, target }, warnings: [...warnings, ...request.extensions] };
      },
      decodeResponse: (body) => parse<CanonicalResponse>(body.toString()),
      createStreamDecoder: () => ({
        decode: ({ data }) => parse<StreamEvent[]>(data) ?? [],
        end: () => [],
      }),
      readErrorMessage(body) {
        const told = parse<{ say?: string; retryAfterMs?: number }>(body);
        if (!told?.say) return null;
        const { say: message, ...rest } = told;
        return { message, code: null, param: null, ...rest };
      },
    },
  };
}

function createPlainVendor(providerKey: string, protocol: ProtocolId): Provider {
  return {
    displayName: providerKey,
    icon: providerKey,
    defaultEndpoint: null,
    endpointForm: 'versioned',
    models: [],
    discovery: {},
    defaultModel: 'default',
    chat: {
      protocol,
      path: (model, isStream) => `/${providerKey}/${model}/${isStream ? 'stream' : 'whole'}`,
    },
    isKeyOptional: false,
    authorize: bearer,
  };
}

function parse<Value>(text: string): Value | null {
  try {
    return JSON.parse(text) as Value; // safe because a test defines both the response and its type
  } catch {
    return null;
  }
}
