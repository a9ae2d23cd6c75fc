import { GatewayError } from '#errors/gateway-error.ts';
import type { EmbeddingsCall } from '#protocols/canonical/embeddings.ts';
import type { CanonicalRequest, CompletionRequest, RequestProblem } from '#protocols/canonical/request.ts';
import type { ProviderSide, RequestTarget } from '#protocols/protocol.ts';
import { protocols } from '#protocols/registry.ts';
import type { ChatService, Service } from '#providers/provider.ts';

/** A request as one provider is to get it. */
export interface ProviderRequest {
  readonly isPassThrough: boolean;
  /** A cap, in tokens, replaces the caller's own. */
  encodeBody(outputTokensMax?: number): Buffer;
  readonly warnings: readonly string[];
}

/** Caps the answer where a protocol demands a cap and the caller named none. */
const defaultOutputTokensMax = 4_096;
const defaultReasoningTokensMax = 16_384;

/** Encodes one request for whichever providers may serve it; it is decoded once, and only if one needs that. */
export function createEncoder(
  asked: CompletionRequest | EmbeddingsCall,
): (model: string, service: ChatService) => ProviderRequest | GatewayError {
  if (asked.operation === 'embeddings') return (model, service) => encodeEmbeddings(asked, model, service);
  let decoded: CanonicalRequest | GatewayError | null = null;
  const decode = () => {
    const result = asked.toCanonical();
    return result.ok ? result.request : describeProblem(result.problem);
  };
  return (model, { protocol, isReasoningModel: isReasoning, dialect }) => {
    const isReasoningModel = isReasoning?.(model) ?? false;
    if (protocol === asked.protocol) {
      const encodeBody = (tokens?: number) =>
        asked.encodeFor(model, dialect, tokens === undefined ? undefined : { tokens, isReasoningModel });
      return { isPassThrough: true, encodeBody, warnings: [] };
    }
    decoded ??= decode();
    if (decoded instanceof GatewayError) return decoded;
    return translate(protocols[protocol].provider, decoded, {
      model,
      isStream: asked.isStream,
      defaultOutputTokensMax: isReasoningModel ? defaultReasoningTokensMax : defaultOutputTokensMax,
      isReasoningModel,
      ...(dialect && { dialect }),
    });
  };
}

function translate(
  provider: ProviderSide,
  request: CanonicalRequest,
  target: RequestTarget,
): ProviderRequest | GatewayError {
  const encoded = provider.encodeRequest(request, target);
  if (!encoded.ok) return describeProblem(encoded.problem);
  const encodeCapped = (outputTokensMax: number) => {
    const capped = provider.encodeRequest({ ...request, outputTokensMax }, target);
    if (!capped.ok) throw describeProblem(capped.problem);
    return capped.body;
  };
  const encodeBody = (cap?: number) => toJson(cap === undefined ? encoded.body : encodeCapped(cap));
  return { isPassThrough: false, encodeBody, warnings: encoded.warnings };
}

// What is embedded has no answer that a cap could end.
function encodeEmbeddings(
  call: EmbeddingsCall,
  model: string,
  { protocol }: Service,
): ProviderRequest | GatewayError {
  if (protocol === call.protocol)
    return { isPassThrough: true, encodeBody: () => call.encodeFor(model), warnings: [] };
  const { embeddings }: ProviderSide = protocols[protocol].provider;
  if (!embeddings) throw new Error(`a provider's row promises embeddings, which ${protocol} has not`);
  const encoded = embeddings.encodeRequest(call.toCanonical(), model);
  if (!encoded.ok) return describeProblem(encoded.problem);
  return { isPassThrough: false, encodeBody: () => toJson(encoded.body), warnings: encoded.warnings };
}

function toJson(body: object): Buffer {
  return Buffer.from(JSON.stringify(body));
}

export function describeProblem({ code, message, param }: RequestProblem): GatewayError {
  return new GatewayError(code, message, { param });
}
