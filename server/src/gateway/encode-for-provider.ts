import { GatewayError } from '#errors/gateway-error.ts';
import type { CanonicalRequest, CompletionRequest, RequestProblem } from '#protocols/canonical/request.ts';
import { protocols } from '#protocols/registry.ts';
import type { ChatService } from '#providers/provider.ts';

/** A request as one provider is to get it. */
export interface ProviderRequest {
  readonly isPassThrough: boolean;
  encodeBody(): Buffer;
  readonly warnings: readonly string[];
}

/** Caps the answer where a protocol demands a cap and the caller named none. */
const defaultOutputTokensMax = 4_096;
const defaultReasoningTokensMax = 16_384;

/** Encodes one request for whichever providers may serve it; it is decoded once, and only if one needs that. */
export function createEncoder(
  completion: CompletionRequest,
): (model: string, chat: ChatService) => ProviderRequest | GatewayError {
  let decoded: CanonicalRequest | GatewayError | null = null;
  const decode = () => {
    const result = completion.toCanonical();
    return result.ok ? result.request : describeProblem(result.problem);
  };
  return (model, { protocol, isReasoningModel: isReasoning, dialect }) => {
    if (protocol === completion.protocol) {
      return { isPassThrough: true, encodeBody: () => completion.encodeFor(model, dialect), warnings: [] };
    }
    decoded ??= decode();
    if (decoded instanceof GatewayError) return decoded;
    const isReasoningModel = isReasoning?.(model) ?? false;
    const encoded = protocols[protocol].provider.encodeRequest(decoded, {
      model,
      isStream: completion.isStream,
      defaultOutputTokensMax: isReasoningModel ? defaultReasoningTokensMax : defaultOutputTokensMax,
      isReasoningModel,
      ...(dialect && { dialect }),
    });
    if (!encoded.ok) return describeProblem(encoded.problem);
    const { body, warnings } = encoded;
    return { isPassThrough: false, encodeBody: () => Buffer.from(JSON.stringify(body)), warnings };
  };
}

export function describeProblem({ code, message, param }: RequestProblem): GatewayError {
  return new GatewayError(code, message, { param });
}
