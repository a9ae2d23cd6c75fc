import { GatewayError } from '#errors/gateway-error.ts';
import type { CanonicalRequest, CompletionRequest, RequestProblem } from '#protocols/canonical/request.ts';
import { protocols } from '#protocols/registry.ts';
import type { ChatService } from '#providers/provider.ts';

/** A request as one provider is to get it. */
export interface ProviderRequest {
  /** Caller and provider speak the same protocol: bytes pass as they are. */
  readonly isPassThrough: boolean;
  /** What a caller that named no cap is held to. */
  readonly defaultOutputTokensMax: number;
  /** `outputTokensMax` is the gate's cap on the answer, `null` when it sets none. */
  encodeBody(outputTokensMax: number | null): Buffer;
  /** What of the request this provider does not take. */
  readonly warnings: readonly string[];
}

/** What an answer is held to whose caller named no cap. */
const defaultTokensMax = 4_096;
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
    const isReasoningModel = isReasoning?.(model) ?? false;
    const defaultOutputTokensMax = isReasoningModel ? defaultReasoningTokensMax : defaultTokensMax;
    if (protocol === completion.protocol) {
      const encodeBody = (tokens: number | null) =>
        completion.encodeFor(model, dialect, tokens === null ? undefined : { tokens, isReasoningModel });
      return { isPassThrough: true, defaultOutputTokensMax, encodeBody, warnings: [] };
    }
    decoded ??= decode();
    if (decoded instanceof GatewayError) return decoded;
    const request = decoded;
    const encode = (tokens: number | null) =>
      protocols[protocol].provider.encodeRequest(
        tokens === null ? request : { ...request, outputTokensMax: tokens },
        {
          model,
          isStream: completion.isStream,
          defaultOutputTokensMax,
          isReasoningModel,
          ...(dialect && { dialect }),
        },
      );
    const encoded = encode(null);
    if (!encoded.ok) return describeProblem(encoded.problem);
    const encodeBody = (tokens: number | null) => {
      const capped = tokens === null ? encoded : encode(tokens);
      if (!capped.ok) throw describeProblem(capped.problem);
      return Buffer.from(JSON.stringify(capped.body));
    };
    return { isPassThrough: false, defaultOutputTokensMax, encodeBody, warnings: encoded.warnings };
  };
}

export function describeProblem({ code, message, param }: RequestProblem): GatewayError {
  return new GatewayError(code, message, { param });
}
