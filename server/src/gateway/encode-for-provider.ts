import { GatewayError } from '#errors/gateway-error.ts';
import type { CanonicalRequest, CompletionRequest, RequestProblem } from '#protocols/canonical/request.ts';
import { protocols } from '#protocols/registry.ts';
import type { ChatService } from '#providers/provider.ts';

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
  completion: CompletionRequest,
): (model: string, chat: ChatService) => ProviderRequest | GatewayError {
  let decoded: CanonicalRequest | GatewayError | null = null;
  const decode = () => {
    const result = completion.toCanonical();
    return result.ok ? result.request : describeProblem(result.problem);
  };
  return (model, { protocol, isReasoningModel: isReasoning, dialect }) => {
    const isReasoningModel = isReasoning?.(model) ?? false;
    if (protocol === completion.protocol) {
      const encodeBody = (tokens?: number) =>
        completion.encodeFor(model, dialect, tokens === undefined ? undefined : { tokens, isReasoningModel });
      return { isPassThrough: true, encodeBody, warnings: [] };
    }
    decoded ??= decode();
    if (decoded instanceof GatewayError) return decoded;
    const request = decoded;
    const target = {
      model,
      isStream: completion.isStream,
      defaultOutputTokensMax: isReasoningModel ? defaultReasoningTokensMax : defaultOutputTokensMax,
      isReasoningModel,
      ...(dialect && { dialect }),
    };
    const { provider } = protocols[protocol];
    const encoded = provider.encodeRequest(request, target);
    if (!encoded.ok) return describeProblem(encoded.problem);
    const { body, warnings } = encoded;
    const capped = (outputTokensMax: number): object => {
      const again = provider.encodeRequest({ ...request, outputTokensMax }, target);
      if (!again.ok) throw describeProblem(again.problem);
      return again.body;
    };
    const encodeBody = (tokens?: number) =>
      Buffer.from(JSON.stringify(tokens === undefined ? body : capped(tokens)));
    return { isPassThrough: false, encodeBody, warnings };
  };
}

export function describeProblem({ code, message, param }: RequestProblem): GatewayError {
  return new GatewayError(code, message, { param });
}
