import { GatewayError } from '#errors/gateway-error.ts';
import { findUnlisted } from '#protocols/caller-request/request-shape.ts';
import type { EmbeddingsCall } from '#protocols/canonical/embeddings.ts';
import type { CompletionRequest, RequestProblem } from '#protocols/canonical/request.ts';
import type { CallerSide, Protocol, ProviderSide, RequestTarget } from '#protocols/protocol.ts';
import { protocols } from '#protocols/registry.ts';
import { findExcessiveCalls } from '#protocols/translation/call-arguments.ts';
import { nameForCaller } from '#protocols/translation/caller-names.ts';
import { makeToolNamesPortable, noCallerTools } from '#protocols/translation/tool-names.ts';
import type { ChatService, Service } from '#providers/provider.ts';
import type { ProviderRequest } from '../exchange.ts';

/** Output cap for callers that send none. */
const defaultTokensMax = 4_096;
const defaultReasoningTokensMax = 16_384;

type EncodeFor = (
  model: string,
  service: ChatService,
  isAccountShared?: boolean,
) => Promise<ProviderRequest | GatewayError>;

/**
 * Encodes one request for any provider that may serve it. It is decoded once, and only if a provider requires it.
 * `pause` yields to the event loop between decoding and encoding.
 */
export function createEncoder(
  asked: CompletionRequest | EmbeddingsCall,
  pause: () => Promise<void> | undefined,
): EncodeFor {
  if (asked.operation === 'embeddings')
    return async (model, service) => encodeEmbeddings(asked, model, service);
  const { caller }: Protocol = protocols[asked.protocol];
  const names = caller?.parameterNames;
  let decoding: Promise<PortableRequest | GatewayError> | null = null;
  const decode = async () => {
    const result = asked.toCanonical();
    if (!result.ok) return requestProblemError(result.problem);
    await pause();
    const problem = findExcessiveCalls(result.request.messages);
    return problem ? requestProblemError(problem) : makeToolNamesPortable(result.request);
  };
  return async (model, service, isAccountShared = false) => {
    const { protocol, isReasoningModel: isReasoning, dialect, takesOpenaiTools = false } = service;
    const isReasoningModel = isReasoning?.(model) ?? false;
    const defaultOutputTokensMax = isReasoningModel ? defaultReasoningTokensMax : defaultTokensMax;
    if (protocol === asked.protocol && (takesOpenaiTools || !asked.hasOpenaiTools)) {
      const encodeBody = (tokens: number | null) =>
        asked.encodeFor(
          model,
          dialect,
          tokens === null ? undefined : { tokens, isReasoningModel },
          isAccountShared,
        );
      const { findUnlistedField } = asked;
      return { ...passedThrough, defaultOutputTokensMax, encodeBody, findUnlistedField };
    }
    decoding ??= decode();
    const decoded = await decoding;
    if (decoded instanceof GatewayError) return decoded;
    await pause();
    return translate(protocols[protocol].provider, decoded, names, pause, {
      model,
      isStream: asked.isStream,
      defaultOutputTokensMax,
      isReasoningModel,
      isAccountShared,
      ...(dialect && { dialect }),
    });
  };
}

type PortableRequest = ReturnType<typeof makeToolNamesPortable>;

const passedThrough = { isPassThrough: true, warnings: [], callerTools: noCallerTools };

function translate(
  provider: ProviderSide,
  { request, callerTools }: PortableRequest,
  names: CallerSide['parameterNames'],
  pause: () => Promise<void> | undefined,
  target: RequestTarget,
): ProviderRequest | GatewayError {
  const encoded = nameForCaller(provider.encodeRequest(request, target), names);
  if (!encoded.ok) return requestProblemError(encoded.problem);
  const encodeCapped = (outputTokensMax: number) => {
    const capped = provider.encodeRequest({ ...request, outputTokensMax }, target);
    if (!capped.ok) throw requestProblemError(capped.problem);
    return capped.body;
  };
  const encodeBody = async (cap: number | null) => {
    const body = cap === null ? encoded.body : encodeCapped(cap);
    await pause();
    const text = JSON.stringify(body);
    await pause();
    return Buffer.from(text);
  };
  const { defaultOutputTokensMax } = target;
  const { warnings } = encoded;
  const { sharedAccountRequest } = provider;
  const findUnlistedField = () =>
    sharedAccountRequest ? findUnlisted(encoded.body, sharedAccountRequest) : null;
  return {
    isPassThrough: false,
    defaultOutputTokensMax,
    encodeBody,
    warnings,
    callerTools,
    findUnlistedField,
  };
}

// Embeddings have no output to cap.
function encodeEmbeddings(
  call: EmbeddingsCall,
  model: string,
  { protocol }: Service,
): ProviderRequest | GatewayError {
  if (protocol === call.protocol)
    return {
      ...passedThrough,
      defaultOutputTokensMax: 0,
      encodeBody: () => call.encodeFor(model),
      findUnlistedField: call.findUnlistedField,
    };
  const { embeddings }: ProviderSide = protocols[protocol].provider;
  if (!embeddings) throw new Error(`a provider's row promises embeddings, which ${protocol} has not`);
  const encoded = embeddings.encodeRequest(call.toCanonical(), model);
  if (!encoded.ok) return requestProblemError(encoded.problem);
  const encodeBody = () => Buffer.from(JSON.stringify(encoded.body));
  const { warnings } = encoded;
  return {
    isPassThrough: false,
    defaultOutputTokensMax: 0,
    encodeBody,
    warnings,
    callerTools: noCallerTools,
    // Only the texts and the model's name remain.
    findUnlistedField: () => null,
  };
}

export function requestProblemError({ code, message, param }: RequestProblem): GatewayError {
  return new GatewayError(code, message, { param });
}
