import type { UsableTarget } from '#domain/access/check-model.ts';
import { GatewayError } from '#errors/gateway-error.ts';
import { proceed } from '#platform/proceed.ts';
import { protocols } from '#protocols/registry.ts';
import { readEffort } from '#protocols/translation/reasoning-effort.ts';
import type { ChatService, Provider } from '#providers/provider.ts';
import { findProvider } from '#providers/registry.ts';
import type { Attempt, Classified, ProviderRequest } from '../exchange.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import type { InstanceEntry } from '../snapshot/tables/llm-providers.ts';
import { createEncoder } from './encode-for-provider.ts';
import { furtherModelError } from './further-model-error.ts';
import { imagesField } from './image-refusal.ts';
import { findModelKnowledge, type ModelKnowledge } from './model-knowledge.ts';
import { addCallerHeaders, findAddress, listServices, listSignatures } from './provider-service.ts';
import { readRefusals } from './read-refusals.ts';
import type { RefusalMemory } from './refusal-memory.ts';
import type { Refusal, ResponsesRule } from './refusals.ts';
import { paidExtraError } from './require-trusted.ts';
import { unlistedFieldError } from './unlisted-field-error.ts';

export interface PlanDeps {
  readonly sandboxOrigin: string | null;
  readonly snapshot: Snapshot;
  readonly refusals: RefusalMemory;
}

export type PlannedAttempt = Attempt | GatewayError | null;

type Target = UsableTarget<InstanceEntry>;

const repairsMax = 4;

/** Creates a function that plans the attempt for a target. The request is decoded at most once for all targets. */
export function createAttemptPlanner(
  exchange: Classified,
  deps: PlanDeps,
): (target: Target) => PlannedAttempt | Promise<PlannedAttempt> {
  const { completion, work } = exchange;
  const { refusals, sandboxOrigin, snapshot } = deps;
  const encode = createEncoder(completion, work);
  const planning = { refusals, sandboxOrigin, snapshot, exchange, encode };
  return (target) => planWith(planning, target, []);
}

interface Planning extends PlanDeps {
  readonly exchange: Classified;
  readonly encode: ReturnType<typeof createEncoder>;
}

/** `learned` contains rejections of this request's earlier attempts that are not stored yet. */
function planWith(
  planning: Planning,
  target: Target,
  learned: readonly Refusal[],
): PlannedAttempt | Promise<PlannedAttempt> {
  const { exchange, refusals: memory } = planning;
  const { instance, model } = target;
  const provider = findProvider(instance.providerKey);
  const isCompaction = exchange.route.operation === 'responses.compact';
  const services = isCompaction ? listCompactions(provider) : listServices(provider, exchange.completion);
  if (services.length === 0)
    return isCompaction ? noCompactionError(instance.name) : noEmbeddingsError(instance.name);
  const recalled = memory.recall(instance, model, exchange.principal.userId);
  const known = learned.length === 0 ? recalled : [...recalled, ...learned];
  const knowledge = findModelKnowledge(instance, model, known);
  const detour = !isCompaction && needsResponses(exchange, knowledge) ? findResponses(provider) : [];
  const all = detour.length === 0 ? services : [...detour, ...services];
  return planFor(all, { planning, target, provider, knowledge, learned, detour });
}

/** Plans for the first service with a URL, or for the next service if the Responses API cannot express the request. */
function planFor(
  services: readonly ChatService[],
  among: ServicePlanning,
): PlannedAttempt | Promise<PlannedAttempt> {
  const service = services[0];
  const { planning, target, provider, knowledge, learned, detour } = among;
  const { encode, exchange, sandboxOrigin } = planning;
  const { instance, model } = target;
  if (!service)
    return exchange.route.operation === 'responses.compact' ? noCompactionError(instance.name) : null;
  const findPath = (root: string) => service.path(model, exchange.completion.isStream, root);
  const url = findAddress(target, provider, findPath, sandboxOrigin);
  if (!url) return planFor(services.slice(1), among);
  const encoding = encode({ model, service, knowledge, isAccountShared: instance.isServiceManaged });
  return proceed(encoding, (encoded) => {
    const problem = encoded instanceof GatewayError ? encoded : findProblem(planning, target, encoded);
    if (!(encoded instanceof GatewayError) && !problem)
      return toAttempt(planning, target, { provider, service, url, encoded, learned });
    // If the Responses API cannot express the request, the request is sent to chat completions, where the provider
    // may reject it.
    if (!detour.includes(service)) return problem;
    return proceed(planFor(services.slice(1), among), (planned) => planned ?? problem);
  });
}

interface ServicePlanning {
  readonly planning: Planning;
  readonly target: Target;
  readonly provider: Provider;
  readonly knowledge: ModelKnowledge;
  readonly learned: readonly Refusal[];
  /** Services that are tried although they may be unable to express the request. */
  readonly detour: readonly ChatService[];
}

function findProblem(
  { exchange, snapshot }: Planning,
  target: Target,
  encoded: ProviderRequest,
): GatewayError | null {
  return (
    unlistedFieldError(target, encoded) ??
    paidExtraError(exchange, target, encoded) ??
    (encoded.isPassThrough ? furtherModelError(exchange, target, snapshot) : null)
  );
}

function toAttempt(
  planning: Planning,
  target: Target,
  { provider, service, url, encoded, learned }: AttemptParts,
): Attempt {
  const { completion, request, route } = planning.exchange;
  const own = listSignatures(target, provider);
  // Object spread would take several times the memory.
  const attempt: Attempt = {
    instance: target.instance,
    model: target.model,
    teamId: target.teamId,
    url,
    signatures: encoded.isPassThrough ? addCallerHeaders(own, service, request.headers) : own,
    isBuiltIn: provider.isBuiltIn ?? false,
    protocol: protocols[service.protocol],
    isPassThrough: encoded.isPassThrough,
    defaultOutputTokensMax: encoded.defaultOutputTokensMax,
    fitCap: encoded.fitCap,
    // A compaction generates no output to cap.
    encodeBody:
      route.operation === 'responses.compact'
        ? (_limitCap, inputTokens) => encoded.encodeBody(null, inputTokens)
        : encoded.encodeBody,
    optionalBody: encoded.optionalBody,
    warnings: encoded.warnings,
    callerTools: encoded.callerTools,
    findUnlistedField: encoded.findUnlistedField,
    async repair(rejection, sent) {
      if (completion.operation === 'embeddings' || learned.length >= repairsMax) return null;
      const hasResponses = service.protocol === 'openai-chat' && findResponses(provider).length > 0;
      const read = readRefusals(attempt, completion, rejection, { ...sent, hasResponses });
      const isKnown = ({ kind, value }: Refusal) =>
        learned.some((one) => one.kind === kind && one.value === value);
      const fresh = read.filter((refusal) => !isKnown(refusal));
      const repaired = fresh.length === 0 ? null : await planWith(planning, target, [...learned, ...fresh]);
      if (!(repaired instanceof GatewayError)) return repaired;
      const isBlind = fresh.some(({ value }) => value === imagesField);
      // A request with images is not repeated without them, so the rejection is stored without confirmation by a
      // success.
      if (isBlind) remember(planning, target, fresh);
      return isBlind ? repaired : null;
    },
    onAccepted: () => remember(planning, target, learned),
  };
  return attempt;
}

function remember({ exchange, refusals }: Planning, target: Target, learned: readonly Refusal[]): void {
  refusals.remember(target.instance, target.model, exchange.principal.userId, learned);
}

interface AttemptParts {
  readonly provider: Provider;
  readonly service: ChatService;
  readonly url: URL;
  readonly encoded: ProviderRequest;
  readonly learned: readonly Refusal[];
}

function findResponses({ alsoSpeaks = [], chat }: Provider): readonly ChatService[] {
  return chat.protocol === 'openai-chat'
    ? alsoSpeaks.filter(({ protocol }) => protocol === 'openai-responses')
    : [];
}

function needsResponses({ completion }: Classified, { facts, refusals }: ModelKnowledge): boolean {
  const isFor = (rule: ResponsesRule) => refusals.responses.has(rule);
  if (completion.operation === 'embeddings' || completion.protocol === 'openai-responses') return false;
  if (facts?.onlyResponses || isFor('all')) return true;
  if (refusals.responses.size === 0) return false;
  const decoded = completion.toCanonical();
  if (!decoded.ok || decoded.request.tools.length === 0) return false;
  const effort = readEffort(decoded.request.reasoning);
  return effort !== 'none' && (isFor('tools') || effort !== undefined);
}

function noEmbeddingsError(instance: string): GatewayError {
  return new GatewayError(
    'invalid_request',
    `The provider "${instance}" does not support embeddings. Use a model of another provider.`,
    { param: 'model' },
  );
}

function noCompactionError(instance: string): GatewayError {
  return new GatewayError(
    'not_supported',
    `The provider "${instance}" does not compact conversations. Use an OpenAI model, or ask the model for a summary.`,
    { param: 'model' },
  );
}

function listCompactions({ alsoSpeaks = [] }: Provider): ChatService[] {
  return alsoSpeaks.flatMap((service) => {
    const { compactPath } = service;
    return compactPath ? [{ ...service, path: (_model, _isStream, root) => compactPath(root) }] : [];
  });
}
