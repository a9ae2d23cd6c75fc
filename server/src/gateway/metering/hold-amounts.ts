import {
  findCeiling,
  findLeastAmount,
  fitRequest,
  type RequestTerms,
} from '#domain/allowance/fit-request.ts';
import { countsRequests } from '#domain/allowance/window.ts';
import { listUnmeteredUnits } from '#domain/price/catalogue.ts';
import { holdOf } from '#domain/price/cost.ts';
import {
  estimatePromptTokens,
  leastPromptTokens,
  likelyPromptTokens,
  sumPromptTokens,
} from '#domain/token-estimate.ts';
import { GatewayError } from '#errors/gateway-error.ts';
import type { Prompt } from '#protocols/canonical/prompt.ts';
import { findProvider } from '#providers/registry.ts';
import type { Fit, Subject } from '../allowance/hold.ts';
import type { LimitFacts } from '../allowance/limit-error.ts';
import type { TaskLimit } from '../allowance/task-limit.ts';
import type { Attempt, Authorized, ChargedPrice, Planned } from '../exchange.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { type AppliedBudget, createBudgetCosts, listBudgets, narrowBudgets } from './budget-limits.ts';
import { findChargedPrice } from './charge-usage.ts';

export interface LimitedRequest {
  readonly subjects: readonly Subject[];
  readonly fit: Fit;
  readonly inputTokens: number;
  /** Estimated input tokens, charged if the provider reports no usage. */
  readonly likelyInputTokens: number;
  readonly ceiling: number;
  readonly hasTenantMax: boolean;
  /** Returns the input texts if exact counts could make the request fit, otherwise an empty list. */
  listTextsToCount(facts: LimitFacts): readonly string[];
  withCounted(textTokens: number): LimitedRequest;
}

/**
 * Limits a request without model output, such as a token count, which counts only toward the hourly request limit and
 * budgets that count requests.
 */
export function limitTokenless(exchange: Authorized, snapshot: Snapshot): LimitedRequest {
  const { principal, targets } = exchange;
  const timeZone = snapshot.tenants.get(principal.tenantId)?.timeZone ?? 'UTC';
  const inRequests = listBudgets(exchange, targets, snapshot).filter(({ budget }) =>
    countsRequests(budget.kind),
  );
  const tokenless: LimitedRequest = {
    subjects: [
      { kind: 'requests_per_hour', subjectId: principal.userId, timeZone },
      ...listBudgetSubjects(inRequests, timeZone),
    ],
    fit(left) {
      const lacking = left.findIndex((one) => one < 1);
      return lacking === -1 ? { amounts: left.map(() => 1) } : { lacking, amount: 1 };
    },
    inputTokens: 0,
    likelyInputTokens: 0,
    ceiling: 0,
    hasTenantMax: false,
    listTextsToCount: () => [],
    withCounted: () => tokenless,
  };
  return tokenless;
}

/** No model writes longer responses, and higher caps are lowered to this value. */
const outputTokensMax = 10_000_000;

/** `textsEstimate` is an upper estimate of the tokens in the texts. */
export interface EstimatedPrompt {
  readonly prompt: Prompt;
  readonly textsEstimate: number;
}

export interface BudgetedPrompt extends EstimatedPrompt {
  readonly budgets: readonly AppliedBudget<Attempt>[];
}

/**
 * Returns the limits of a planned request and the amounts to hold. If any attempt costs no credits, credits do not
 * limit the response length.
 */
export function limitRequest(
  exchange: Planned,
  attempts: Planned['attempts'],
  { budgets: applied, prompt, textsEstimate }: BudgetedPrompt,
  snapshot: Snapshot,
): LimitedRequest {
  const { principal, receivedAtMs, taskLimit } = exchange;
  const tenant = snapshot.tenants.get(principal.tenantId);
  const timeZone = tenant?.timeZone ?? 'UTC';
  const prices = listCreditPrices(attempts, receivedAtMs, snapshot);
  const budgets = narrowBudgets(applied, attempts);
  const ofRequest = listSubjects(exchange, taskLimit, timeZone, prices.length > 0);
  const request: PricedRequest = {
    exchange,
    attempts,
    budgets,
    prices,
    prompt,
    snapshot,
    textsEstimate,
    subjects: budgets.length === 0 ? ofRequest : ofRequest.concat(listBudgetSubjects(budgets, timeZone)),
    tenantMax: tenant?.maxOutputTokens ?? null,
    added: attempts.reduce((most, attempt) => Math.max(most, findAddedTokens(attempt, prompt)), 0),
  };
  return new PlannedLimits(request, estimatePromptTokens(prompt, textsEstimate) + request.added);
}

interface PricedRequest extends BudgetedPrompt {
  readonly exchange: Planned;
  readonly attempts: Planned['attempts'];
  readonly snapshot: Snapshot;
  readonly subjects: readonly Subject[];
  readonly prices: readonly ChargedPrice[];
  readonly tenantMax: number | null;
  readonly added: number;
}

class PlannedLimits implements LimitedRequest {
  readonly inputTokens: number;
  readonly fit: Fit;
  readonly #request: PricedRequest;
  readonly #terms: RequestTerms;

  constructor(request: PricedRequest, inputTokens: number) {
    const terms = createTerms(request, inputTokens);
    this.inputTokens = inputTokens;
    this.#request = request;
    this.#terms = terms;
    this.fit = (left, inFlight) => fitRequest(terms, left, inFlight);
  }

  get subjects(): readonly Subject[] {
    return this.#request.subjects;
  }

  get likelyInputTokens(): number {
    const { added, prompt, textsEstimate } = this.#request;
    return likelyPromptTokens(prompt, textsEstimate) + added;
  }

  get ceiling(): number {
    return this.#terms.ceiling;
  }

  get hasTenantMax(): boolean {
    return this.#request.tenantMax !== null;
  }

  listTextsToCount({ kind, left, subjectId }: LimitFacts): readonly string[] {
    if (countsRequests(kind)) return [];
    const { added, prompt, subjects, textsEstimate } = this.#request;
    const atBest = createTerms(this.#request, leastPromptTokens(prompt, textsEstimate) + added);
    const index = subjects.findIndex((one) => one.kind === kind && one.subjectId === subjectId);
    return findLeastAmount(atBest, index) <= left ? prompt.texts : [];
  }

  withCounted(textTokens: number): LimitedRequest {
    const { added, prompt, textsEstimate } = this.#request;
    const estimated = estimatePromptTokens(prompt, textsEstimate);
    return new PlannedLimits(this.#request, Math.min(estimated, sumPromptTokens(prompt, textTokens)) + added);
  }
}

function createTerms(request: PricedRequest, inputTokens: number): RequestTerms {
  const { attempts, budgets, exchange, prices, prompt, snapshot, subjects, tenantMax } = request;
  const { answers, thinkingTokens, tokensMax } = exchange.completion.output;
  const isWithAudio = hasAudio(prompt);
  const costOf = (outputTokens: number) =>
    Math.max(
      ...prices.map(({ price, markupPercent }) =>
        Number(holdOf({ inputTokens, outputTokens, hasAudio: isWithAudio }, price, markupPercent)),
      ),
    );
  const terms = {
    kinds: subjects.map(kindOf),
    inputTokens,
    costOf,
    answers,
    paysInFull: attempts.some(isSelfManaged),
    namedCap: tokensMax,
    defaultCap: attempts.reduce(addOutputMax, 0),
    modelMax: outputTokensMax,
    tenantMax,
    taskMax: exchange.taskLimit?.answerTokensMax ?? null,
    thinkingBudget: thinkingTokens,
    ceiling: 0,
  };
  const ceiling = findCeiling(terms);
  if (ceiling === null) throw ceilingError(terms);
  terms.ceiling = ceiling;
  if (budgets.length === 0) return terms;
  return addBudgetCosts(terms, budgets, { hasAudio: isWithAudio }, exchange.receivedAtMs, snapshot);
}

const kindOf = ({ kind }: Subject) => kind;

const addOutputMax = (most: number, { defaultOutputTokensMax }: Attempt) =>
  Math.max(most, defaultOutputTokensMax);

const isSelfManaged = ({ instance }: Attempt) => !instance.isServiceManaged;

function ceilingError({ taskMax, tenantMax }: Pick<RequestTerms, 'taskMax' | 'tenantMax'>): GatewayError {
  if (taskMax === null || (tenantMax !== null && tenantMax < taskMax))
    return new GatewayError(
      'invalid_request',
      `Your organization allows ${tenantMax} tokens per response, which is less than this request needs. Lower the thinking budget, or ask your administrator.`,
    );
  return new GatewayError(
    'task_tokens_exceeded',
    `Your task allows ${taskMax} tokens per response, which is less than this request needs. Lower the thinking budget, or ask your administrator.`,
  );
}

export function findAddedTokens({ instance }: Pick<Attempt, 'instance'>, { hasTools }: Prompt): number {
  const { always = 0, withTools = 0 } = findProvider(instance.providerKey).addedTokens ?? {};
  return hasTools ? always + withTools : always;
}

function listSubjects(
  { principal }: Planned,
  task: TaskLimit | null,
  timeZone: string,
  takesCredits: boolean,
): Subject[] {
  const { tenantId, userId } = principal;
  const subjects: Subject[] = userKinds.map((kind) => ({ kind, subjectId: userId, timeZone }));
  if (!task && !takesCredits) return subjects;
  // `concat` instead of `push`, since a growing array reserves room for 17 items.
  return subjects.concat(
    task ? { kind: 'task_tokens', subjectId: task.assignmentId, timeZone } : [],
    takesCredits ? { kind: 'credits', subjectId: tenantId, timeZone } : [],
  );
}

function addBudgetCosts(
  terms: RequestTerms,
  budgets: readonly AppliedBudget[],
  { hasAudio }: { readonly hasAudio: boolean },
  receivedAtMs: number,
  snapshot: Snapshot,
): RequestTerms {
  const from = terms.kinds.length - budgets.length;
  const bounds = { inputTokens: terms.inputTokens, hasAudio };
  const costOfBudget = createBudgetCosts(budgets, bounds, receivedAtMs, snapshot);
  const costOf: RequestTerms['costOf'] = (outputTokens, index) =>
    index < from ? terms.costOf(outputTokens, index) : costOfBudget(outputTokens, index - from);
  return { ...terms, costOf };
}

function listBudgetSubjects(budgets: readonly AppliedBudget[], timeZone: string): Subject[] {
  return budgets.map(({ budget: { id, kind, period } }) => ({ kind, subjectId: id, timeZone, period }));
}

function listCreditPrices(
  attempts: readonly Attempt[],
  receivedAtMs: number,
  snapshot: Snapshot,
): readonly ChargedPrice[] {
  if (!attempts.some(costsCredits)) return none;
  return attempts
    .filter(costsCredits)
    .flatMap(({ instance, model }) => findChargedPrice(snapshot, instance, model, receivedAtMs) ?? []);
}

const none: readonly never[] = [];

const costsCredits = ({ instance }: Attempt) => instance.isServiceManaged;

/** A video may also contain audio. */
const hasAudio = ({ media }: Prompt) =>
  media.length > 0 && media.some(({ kind }) => kind === 'audio' || kind === 'video');

/**
 * Excludes planned instances that cost credits and have no audio price, if the request contains audio.
 * @throws GatewayError if no instance is left
 */
export function requireAudioPriced(
  { attempts, receivedAtMs }: Planned,
  prompt: Prompt,
  snapshot: Snapshot,
): Planned['attempts'] {
  if (!hasAudio(prompt)) return attempts;
  const [first, ...others] = attempts.filter(
    ({ instance, model }) =>
      !instance.isServiceManaged ||
      findChargedPrice(snapshot, instance, model, receivedAtMs)?.price.isAudioPriced,
  );
  if (first) return [first, ...others];
  const { instance, model } = attempts[0];
  throw new GatewayError(
    'invalid_request',
    `"${instance.name}" is paid with credits, which do not cover audio or video sent to '${model}'. Send text or images, or use an instance that your organization manages itself.`,
  );
}

/**
 * Excludes planned instances that cost credits if credits may not be spent or no price is known.
 * @throws GatewayError if no instance is left
 */
export function requirePayable(
  { principal, receivedAtMs }: Authorized,
  attempts: Planned['attempts'],
  snapshot: Snapshot,
): Planned['attempts'] {
  if (attempts.every(isSelfManaged)) return attempts;
  const tenant = snapshot.tenants.get(principal.tenantId);
  const isAllowed = tenant?.isServiceSpendingAllowed ?? false;
  const isPayable = ({ instance, model }: Attempt) =>
    !instance.isServiceManaged ||
    (isAllowed &&
      findChargedPrice(snapshot, instance, model, receivedAtMs) !== null &&
      listUnmeteredUnits(instance.providerKey, model, receivedAtMs).length === 0);
  if (attempts.every(isPayable)) return attempts;
  const [first, ...others] = attempts.filter(isPayable);
  if (first) return [first, ...others];
  const units = attempts.flatMap(({ instance, model }) =>
    listUnmeteredUnits(instance.providerKey, model, receivedAtMs),
  );
  const unpriced =
    units.length > 0
      ? `it also charges for ${units[0]}, which credits do not cover`
      : 'no price is known for this model';
  const reason = isAllowed ? unpriced : 'your organization has disabled spending credits';
  throw new GatewayError(
    'insufficient_credits',
    `This model is paid with credits, and ${reason}. Ask your administrator.`,
  );
}

/**
 * Lists the sets of attempts that the credits may have to cover, largest first. Each further set omits the most
 * expensive remaining attempt that costs credits.
 */
export function listPayable(
  attempts: Planned['attempts'],
  receivedAtMs: number,
  snapshot: Snapshot,
): readonly Planned['attempts'][] {
  if (!attempts.some(costsCredits)) return [attempts];
  const dearestFirst = attempts
    .filter(costsCredits)
    .map((attempt) => ({ attempt, rate: findRate(listCreditPrices([attempt], receivedAtMs, snapshot)) }))
    .sort((one, other) => other.rate - one.rate);
  const payable = [attempts];
  const dropped = new Set<Attempt>();
  for (const { attempt } of dearestFirst) {
    dropped.add(attempt);
    const [first, ...others] = attempts.filter((one) => !dropped.has(one));
    if (first) payable.push([first, ...others]);
  }
  return payable;
}

/** Returns the maximum cost of a million input plus a million output tokens, in nano-dollars. */
function findRate(prices: readonly ChargedPrice[]): number {
  const bounds = { inputTokens: 1_000_000, outputTokens: 1_000_000, hasAudio: true };
  return Math.max(
    0,
    ...prices.map(({ price, markupPercent }) => Number(holdOf(bounds, price, markupPercent))),
  );
}

const userKinds = ['requests_per_hour', 'tokens_per_day', 'tokens_per_month'] as const;
