import { GatewayError } from '#errors/gateway-error.ts';
import { encodeJson } from '#json/encode-json.ts';
import type { PacedWork } from '#platform/paced-work.ts';
import type { Steps } from '#platform/steps.ts';
import { findUnlisted } from '#protocols/caller-request/request-shape.ts';
import type { Message } from '#protocols/canonical/content.ts';
import type { EmbeddingsCall } from '#protocols/canonical/embeddings.ts';
import type { CompletionRequest, Dialect, RequestProblem } from '#protocols/canonical/request.ts';
import { leaveOut } from '#protocols/optional-fields.ts';
import type { CallerSide, Protocol, ProviderSide, RequestTarget } from '#protocols/protocol.ts';
import { protocols } from '#protocols/registry.ts';
import { findExcessiveCalls } from '#protocols/translation/call-arguments.ts';
import { makeToolNamesPortable, nameForCaller, noCallerTools } from '#protocols/translation/tool-names.ts';
import { makeCallIdsUnique } from '#protocols/translation/unique-call-ids.ts';
import { createEffortFitter } from '#providers/model-facts/reasoning-effort.ts';
import type { ChatService, Service } from '#providers/provider.ts';
import type { ProviderRequest } from '../exchange.ts';
import { imagesField, needsImages, noImagesProblem } from './image-refusal.ts';
import { findOutputTokensMax, fitOutputCap, type ModelKnowledge } from './model-knowledge.ts';

export interface EncodingTarget {
  readonly model: string;
  readonly service: ChatService;
  readonly knowledge: ModelKnowledge;
  readonly isAccountShared: boolean;
}

type Encoded = ProviderRequest | GatewayError;
type EncodeFor = (target: EncodingTarget) => Encoded | Promise<Encoded>;

/**
 * The request is decoded at most once, and only if a provider requires it. `work` yields to the event loop during
 * decoding and encoding.
 */
export function createEncoder(
  completion: CompletionRequest | EmbeddingsCall,
  work: Pick<PacedWork, 'pause' | 'run'>,
): EncodeFor {
  if (completion.operation === 'embeddings')
    return ({ model, service }) => encodeEmbeddings(completion, model, service);
  let decoding: Promise<PortableRequest | GatewayError> | null = null;
  return (target) => {
    const { protocol, takesOpenaiTools = false } = target.service;
    if (protocol === completion.protocol && (takesOpenaiTools || !completion.hasOpenaiTools))
      return passThrough(completion, target);
    decoding ??= decode(completion, work);
    return translateDecoded(completion, decoding, target, work);
  };
}

async function decode(
  completion: CompletionRequest,
  work: Pick<PacedWork, 'pause'>,
): Promise<PortableRequest | GatewayError> {
  const result = completion.toCanonical();
  if (!result.ok) return requestProblemError(result.problem);
  await work.pause();
  const { messages, stop } = result.request;
  const problem = findExcessiveCalls(messages) ?? findNoContent(messages);
  if (problem) return callerProblemError(problem, findParameterNames(completion));
  return makeToolNamesPortable({
    ...result.request,
    messages: makeCallIdsUnique(messages),
    // OpenAI ignores empty stop sequences. Other providers reject them.
    stop: stop.filter((sequence) => sequence !== ''),
  });
}

async function translateDecoded(
  completion: CompletionRequest,
  decoding: Promise<PortableRequest | GatewayError>,
  target: EncodingTarget,
  work: Pick<PacedWork, 'pause' | 'run'>,
): Promise<Encoded> {
  const decoded = await decoding;
  if (decoded instanceof GatewayError) return decoded;
  await work.pause();
  return translate(completion, decoded, target, work);
}

type PortableRequest = ReturnType<typeof makeToolNamesPortable>;

const noWarnings: readonly string[] = [];

function passThrough(
  completion: CompletionRequest,
  { model, service, knowledge, isAccountShared }: EncodingTarget,
): ProviderRequest {
  const dialect = findDialect(service, knowledge);
  const fitCap = createCapFitter(completion, service, knowledge);
  return {
    isPassThrough: true,
    warnings: noWarnings,
    callerTools: noCallerTools,
    defaultOutputTokensMax: findOutputTokensMax(knowledge),
    fitCap,
    encodeBody(limitCap, inputTokens) {
      const tokens = fitCap(limitCap, inputTokens);
      return completion.encodeFor(model, dialect, tokens === null ? undefined : { tokens }, isAccountShared);
    },
    optionalBody: null,
    findUnlistedField: () => completion.findUnlistedField(),
  };
}

function createCapFitter(
  { output }: CompletionRequest,
  { protocol }: ChatService,
  knowledge: ModelKnowledge,
): ProviderRequest['fitCap'] {
  const { requiresOutputCap: isRequired = false }: ProviderSide = protocols[protocol].provider;
  return (limitCap, inputTokens) =>
    fitOutputCap({ limitCap, namedCap: output.tokensMax, isRequired, inputTokens }, knowledge);
}

const plainDialects = new WeakMap<ChatService, WeakMap<object, Dialect>>();
const unknownModel = {};

function findDialect(service: ChatService, knowledge: ModelKnowledge): Dialect {
  const { facts, refusals } = knowledge;
  if (refusals.fields.size > 0 || refusals.efforts !== null) return adaptDialect(service, knowledge);
  const byFacts = plainDialects.getOrInsertComputed(service, () => new WeakMap());
  const known = byFacts.get(facts ?? unknownModel);
  if (known) return known;
  const dialect = adaptDialect(service, knowledge);
  byFacts.set(facts ?? unknownModel, dialect);
  return dialect;
}

function adaptDialect(service: ChatService, { facts, refusals }: ModelKnowledge): Dialect {
  const { fields } = refusals;
  const isOlderRefused = fields.has('max_tokens');
  const isNewerRefused = fields.has('max_completion_tokens');
  return {
    ...service.dialect,
    fitReasoningEffort: createEffortFitter(service, facts, refusals.efforts),
    ...(isOlderRefused && { capField: 'max_completion_tokens' }),
    ...(isNewerRefused && !isOlderRefused && { capField: 'max_tokens' }),
    ...(fields.has('stream_options') && { tellsUsageUnasked: true }),
  };
}

async function translate(
  completion: CompletionRequest,
  { request, callerTools }: PortableRequest,
  encodingTarget: EncodingTarget,
  work: Pick<PacedWork, 'pause' | 'run'>,
): Promise<Encoded> {
  const { model, service, knowledge } = encodingTarget;
  const { protocol } = service;
  const names = findParameterNames(completion);
  if (isBlind(knowledge) && needsImages(request)) return callerProblemError(noImagesProblem(model), names);
  const target = toRequestTarget(encodingTarget, completion.isStream);
  const encodeCapped = (outputTokensMax?: number) =>
    work.run(
      encodeOnce(protocol, outputTokensMax === undefined ? request : { ...request, outputTokensMax }, {
        target,
        knowledge,
        names,
      }),
    );
  const encoded = await encodeCapped();
  if (encoded instanceof GatewayError) return encoded;
  const fitCap = createCapFitter(completion, service, knowledge);
  const encodeBody: ProviderRequest['encodeBody'] = async (...limits) => {
    const cap = fitCap(...limits);
    const capped = cap === null ? encoded : await encodeCapped(cap);
    if (capped instanceof GatewayError) throw capped;
    await work.pause();
    return work.run(encodeJson(capped.body));
  };
  const { sharedAccountRequest }: ProviderSide = protocols[protocol].provider;
  return {
    isPassThrough: false,
    defaultOutputTokensMax: target.defaultOutputTokensMax,
    fitCap,
    encodeBody,
    warnings: encoded.warnings,
    callerTools,
    optionalBody: encoded.body,
    findUnlistedField: () => (sharedAccountRequest ? findUnlisted(encoded.body, sharedAccountRequest) : null),
  };
}

function toRequestTarget(
  { model, service, knowledge, isAccountShared }: EncodingTarget,
  isStream: boolean,
): RequestTarget {
  const facts = isBlind(knowledge) ? { ...knowledge.facts, vision: false } : knowledge.facts;
  return {
    model,
    isStream,
    defaultOutputTokensMax: findOutputTokensMax(knowledge),
    isReasoningModel: service.hasOpenaiModels === true && facts?.reasoning === true,
    isAccountShared,
    dialect: adaptDialect(service, knowledge),
    ...(facts && { facts }),
  };
}

function isBlind({ refusals }: ModelKnowledge): boolean {
  return refusals.fields.has(imagesField);
}

function* encodeOnce(
  protocol: ChatService['protocol'],
  request: PortableRequest['request'],
  { target, knowledge, names }: EncodingOptions,
): Steps<{ readonly body: object; readonly warnings: readonly string[] } | GatewayError> {
  const encoded = yield* protocols[protocol].provider.encodeInSteps(request, target);
  const { fields } = knowledge.refusals;
  const left = encoded.ok && fields.size > 0 ? leaveOut(protocol, encoded.body, fields) : null;
  const taken =
    encoded.ok && left
      ? { ...encoded, body: left.body, warnings: [...new Set([...encoded.warnings, ...left.warnings])] }
      : encoded;
  const renamed = nameForCaller(taken, names);
  return renamed.ok ? renamed : requestProblemError(renamed.problem);
}

function findParameterNames({ protocol }: CompletionRequest): CallerSide['parameterNames'] {
  const { caller }: Protocol = protocols[protocol];
  return caller?.parameterNames;
}

function findNoContent(messages: readonly Message[]): RequestProblem | null {
  if (messages.some(({ parts }) => parts.length > 0)) return null;
  const message = 'The request has no content: send at least one message with text or other parts.';
  return { code: 'invalid_request', message, param: 'messages' };
}

function callerProblemError(problem: RequestProblem, names: CallerSide['parameterNames']): GatewayError {
  const renamed = nameForCaller({ ok: false, problem }, names);
  return requestProblemError(renamed.ok ? problem : renamed.problem);
}

interface EncodingOptions {
  readonly target: RequestTarget;
  readonly knowledge: ModelKnowledge;
  readonly names: CallerSide['parameterNames'];
}

// Embeddings have no output to cap.
const uncapped = { defaultOutputTokensMax: 0, fitCap: () => null, optionalBody: null };

function encodeEmbeddings(
  call: EmbeddingsCall,
  model: string,
  { protocol }: Service,
): ProviderRequest | GatewayError {
  if (protocol === call.protocol)
    return {
      ...uncapped,
      isPassThrough: true,
      warnings: noWarnings,
      callerTools: noCallerTools,
      encodeBody: () => call.encodeFor(model),
      findUnlistedField: () => call.findUnlistedField(),
    };
  const { embeddings }: ProviderSide = protocols[protocol].provider;
  if (!embeddings)
    throw new Error(
      `the provider row enables embeddings, but the protocol ${protocol} does not support them`,
    );
  const encoded = embeddings.encodeRequest(call.toCanonical(), model);
  if (!encoded.ok) return requestProblemError(encoded.problem);
  const { warnings } = encoded;
  return {
    isPassThrough: false,
    ...uncapped,
    encodeBody: () => Buffer.from(JSON.stringify(encoded.body)),
    warnings,
    callerTools: noCallerTools,
    // The encoded request contains only the input texts and the model name.
    findUnlistedField: () => null,
  };
}

export function requestProblemError({ code, message, param }: RequestProblem): GatewayError {
  return new GatewayError(code, message, { param });
}
