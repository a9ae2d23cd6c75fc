import { countsRequests } from '#domain/allowance/window.ts';
import { GatewayError } from '#errors/gateway-error.ts';
import type { Hold } from '../allowance/hold.ts';
import type { LeaseBook, NodeIdentity } from '../allowance/lease-book.ts';
import { LimitReached, limitError } from '../allowance/limit-error.ts';
import { type Admitted, addResult, type Charge, type Planned, type Received } from '../exchange.ts';
import { budgetError, findReachedBudget } from '../metering/budget-error.ts';
import { isCounted, isUsedAt, listBudgets, requireBudgetPriced } from '../metering/budget-limits.ts';
import { countInput, priceUsage } from '../metering/charge-usage.ts';
import { estimateShortTexts, estimateTexts } from '../metering/count-unreported.ts';
import {
  type BudgetedPrompt,
  type EstimatedPrompt,
  type LimitedRequest,
  limitRequest,
  listPayable,
  requireAudioPriced,
} from '../metering/hold-amounts.ts';
import type { PlanDeps } from '../provider-call/plan-attempt.ts';
import { assembleAdmitted, recordHold } from '../request-log/assemble-record.ts';
import type { RequestJournal } from '../request-log/request-journal.ts';
import type { RequestRecord } from '../request-log/request-record.ts';
import { readLimitStates, setOutputCapHeader, setRateLimitHeaders } from '../response/headers.ts';
import { priceTarget } from '../snapshot/price-target.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import type { BudgetEntry } from '../snapshot/tables/budgets.ts';
import type { TokenCounter } from '../token-count/token-counter.ts';
import { planInstead } from './plan.ts';

export interface AdmitDeps {
  readonly journal: RequestJournal;
  readonly snapshot: Snapshot;
  readonly leases: LeaseBook;
  readonly node: NodeIdentity;
  readonly tokenCounter: TokenCounter;
}

/**
 * Stage 9: takes from every applicable limit, all or nothing, and journals the admission. From here on, the request
 * ends in exactly one log row, even if this process is killed. If a budget does not cover the request but has a
 * fallback model, the request is planned for that model instead and no longer counts toward that budget.
 */
export async function admit(planned: Planned, deps: AdmitDeps & PlanDeps): Promise<Admitted> {
  const routedBy: BudgetEntry[] = [];
  const prompt = planned.completion.readPrompt();
  const estimating = estimateShortTexts(prompt.texts) ?? planned.work.run(estimateTexts(prompt.texts));
  const textsEstimate = estimating instanceof Promise ? await estimating : estimating;
  const estimated = { prompt, textsEstimate };
  for (let exchange = planned; ; ) {
    let held: Hold | null = null;
    try {
      const taking = takeHold(exchange, estimated, deps);
      const taken = taking instanceof Promise ? await taking : taking;
      held = taken.hold;
      const { affordable } = taken;
      const prices = affordable.map(({ instance, model }) =>
        priceTarget(deps.snapshot, instance, model, exchange.receivedAtMs),
      );
      const aimed = addResult(exchange, 'admit', { affordable, prices, firstTarget: affordable[0] });
      await journalAdmission(assembleHeld(aimed, taken, deps.snapshot), deps.journal);
      return conclude(aimed, taken, routedBy.at(-1));
    } catch (error) {
      if (held) deps.leases.settle(held, []);
      const budget = findReachedBudget(error, deps.snapshot);
      // A budget routes a request only once, so that two budgets cannot route it in a loop.
      const model = budget && !routedBy.some(({ id }) => id === budget.id) ? budget.routeTo : null;
      const routed = model === null ? null : await planInstead(exchange, model, deps);
      if (!budget || !routed) throw reportLimit(exchange, error, deps);
      routedBy.push(budget);
      exchange = addResult(routed, 'admit', { routedBy: [...routedBy] });
    }
  }
}

type Aimed = Planned & Pick<Admitted, 'affordable' | 'firstTarget' | 'prices'>;

function assembleHeld(aimed: Aimed, { hold, limited }: Taken, snapshot: Snapshot): RequestRecord {
  const { likelyInputTokens } = limited;
  const recorded = recordHold(holdAt(hold, aimed, snapshot), likelyInputTokens);
  return assembleAdmitted(aimed, recorded, chargeInput(aimed, likelyInputTokens));
}

function conclude(aimed: Aimed, { hold, limited }: Taken, routedBy: BudgetEntry | undefined): Admitted {
  const outputCap = findOutputCap(hold, limited, aimed);
  setOutputCapHeader(aimed.head, hold, outputCap, limited);
  if (routedBy) aimed.head.set('x-sluice-budget-route', `${routedBy.routeTo}; budget=${routedBy.id}`);
  const { likelyInputTokens } = limited;
  return addResult(aimed, 'admit', { hold, likelyInputTokens, outputCap });
}

function takeHold(
  exchange: Planned,
  estimated: EstimatedPrompt,
  deps: AdmitDeps,
): Affordable | Promise<Affordable> {
  const attempts = requireAudioPriced(exchange, estimated.prompt, deps.snapshot);
  const budgets = listBudgets(exchange, attempts, deps.snapshot);
  const budgeted = { prompt: estimated.prompt, textsEstimate: estimated.textsEstimate, budgets };
  return budgets.length === 0
    ? takeAffordable(exchange, attempts, budgeted, deps)
    : takeWithinBudgets(exchange, attempts, budgeted, deps);
}

async function takeWithinBudgets(
  exchange: Planned,
  withAudio: Planned['attempts'],
  budgeted: BudgetedPrompt,
  deps: AdmitDeps,
): Promise<Affordable> {
  const { snapshot } = deps;
  const { attempts, unpriced } = requireBudgetPriced(exchange, withAudio, budgeted.budgets, snapshot);
  for (let covered = attempts; ; ) {
    try {
      const taken = await takeAffordable(exchange, covered, budgeted, deps);
      warnOfDropped(exchange, attempts, covered, 'a budget does');
      if (unpriced.length > 0)
        exchange.head.addWarnings([
          `no price is known for '${unpriced[0]?.model}', so budgets in dollars do not count it`,
        ]);
      return taken;
    } catch (error) {
      const budget = findReachedBudget(error, snapshot);
      const [first, ...others] = covered.filter((one) => budget && !isCounted(budget, exchange, one));
      if (!first || others.length + 1 === covered.length) throw error;
      covered = [first, ...others];
    }
  }
}

type Affordable = Taken & Pick<Admitted, 'affordable'>;

/**
 * Takes the hold for as many of these attempts as the credits cover. Attempts that are too expensive are dropped,
 * instead of rejecting the request.
 */
function takeAffordable(
  exchange: Planned,
  priced: Planned['attempts'],
  budgeted: BudgetedPrompt,
  deps: AdmitDeps,
): Affordable | Promise<Affordable> {
  const payable = listPayable(priced, exchange.receivedAtMs, deps.snapshot);
  const taking = takeFirst(exchange, payable, budgeted, deps);
  if (!(taking instanceof Promise)) return reportTaken(exchange, priced, taking, deps);
  return taking.then((taken) => reportTaken(exchange, priced, taken, deps));
}

function takeFirst(
  exchange: Planned,
  payable: readonly Planned['attempts'][],
  budgeted: BudgetedPrompt,
  deps: AdmitDeps,
): Affordable | Promise<Affordable> {
  const affordable = payable[0];
  if (!affordable) throw new Error('no attempt was planned');
  const limited = limitRequest(exchange, affordable, budgeted, deps.snapshot);
  const taking = takeOrCount(limited, deps);
  if (!(taking instanceof Promise)) return { hold: taking.hold, limited: taking.limited, affordable };
  return taking.then(
    (taken) => ({ ...taken, affordable }),
    (error: unknown) => {
      const lacksCredits = error instanceof LimitReached && error.facts.kind === 'credits';
      if (payable.length === 1 || !lacksCredits) throw explainLimit(error, deps);
      return takeFirst(exchange, payable.slice(1), budgeted, deps);
    },
  );
}

function reportTaken(
  exchange: Planned,
  priced: Planned['attempts'],
  taken: Affordable,
  { node }: AdmitDeps,
): Affordable {
  setRateLimitHeaders(exchange, readLimitStates(taken.hold), node.nowMs());
  warnOfDropped(exchange, priced, taken.affordable, 'the credits of your organization do');
  return taken;
}

function warnOfDropped(
  { head }: Planned,
  attempts: Planned['attempts'],
  kept: Planned['attempts'],
  cause: string,
): void {
  if (kept.length === attempts.length) return;
  const names = attempts.filter((one) => !kept.includes(one)).map(({ instance }) => `"${instance.name}"`);
  head.addWarnings([`${cause} not cover ${names.join(', ')}, which was skipped`]);
}

interface Taken {
  readonly hold: Hold;
  readonly limited: LimitedRequest;
}

/** Takes the hold. Counts the texts exactly before a rejection that is based on an estimate. */
export async function take(exchange: Received, limited: LimitedRequest, deps: AdmitDeps): Promise<Taken> {
  try {
    const taken = await takeOrCount(limited, deps);
    setRateLimitHeaders(exchange, readLimitStates(taken.hold), deps.node.nowMs());
    return taken;
  } catch (error) {
    throw reportLimit(exchange, explainLimit(error, deps), deps);
  }
}

function explainLimit(error: unknown, { node, snapshot }: AdmitDeps): unknown {
  return limitError(budgetError(error, snapshot, node.nowMs()), node.nowMs());
}

/** Sets the rate limit headers of a final rejection, and returns its error. */
function reportLimit(exchange: Received, error: unknown, { node }: Pick<AdmitDeps, 'node'>): unknown {
  const reached = error instanceof GatewayError ? error.cause : undefined;
  if (reached instanceof LimitReached) setRateLimitHeaders(exchange, [reached.facts], node.nowMs());
  return error;
}

function takeOrCount(limited: LimitedRequest, deps: AdmitDeps): Taken | Promise<Taken> {
  try {
    const hold = deps.leases.admit(limited.subjects, limited.fit);
    if (!(hold instanceof Promise)) return { hold, limited };
    return hold.then(
      (taken) => ({ hold: taken, limited }),
      (error) => takeCounted(limited, error, deps),
    );
  } catch (error) {
    return takeCounted(limited, error, deps);
  }
}

async function takeCounted(
  limited: LimitedRequest,
  error: unknown,
  { leases, tokenCounter }: AdmitDeps,
): Promise<Taken> {
  const counted = error instanceof LimitReached ? await recount(limited, error, tokenCounter) : null;
  if (!counted) throw error;
  return { hold: await leases.admit(counted.subjects, counted.fit), limited: counted };
}

async function recount(
  limited: LimitedRequest,
  { facts }: LimitReached,
  tokenCounter: TokenCounter,
): Promise<LimitedRequest | null> {
  const texts = limited.listTextsToCount(facts);
  const tokens = texts.length === 0 ? null : await tokenCounter.count(texts);
  return tokens === null ? null : limited.withCounted(tokens);
}

/** Returns the part of a hold that the first planned attempt may use. This part is charged if the process is killed. */
function holdAt(hold: Hold, exchange: Aimed, snapshot: Snapshot): Hold {
  if (snapshot.budgets.size === 0) return hold;
  const { nodeId, parts } = hold;
  return { nodeId, parts: parts.filter((part) => isUsedAt(part, exchange, exchange.firstTarget, snapshot)) };
}

// If the process is killed before the request ends, the row names the first planned provider and charges the input at
// its price.
function chargeInput({ prices }: Aimed, inputTokens: number): Charge {
  const { costNanoUsd, price } = priceUsage(countInput(inputTokens), prices[0] ?? null);
  return { usage: null, usageSource: 'none', costNanoUsd, price };
}

export function journalAdmission(record: RequestRecord, journal: RequestJournal): Promise<void> {
  return journal.admit(record).catch(throwJournalFull);
}

function throwJournalFull(cause: unknown): never {
  throw new GatewayError('journal_full', 'The gateway cannot record requests at the moment. Please retry.', {
    cause,
    retryAfterMs: 5_000,
  });
}

/** Returns the maximum output tokens per choice; `null` if nothing limits the response. */
function findOutputCap(
  { parts }: Hold,
  { ceiling, hasTenantMax, inputTokens }: LimitedRequest,
  exchange: Planned,
): number | null {
  const isLimited = parts.some(limitsOutput);
  if (!isLimited && !hasTenantMax && exchange.taskLimit?.answerTokensMax == null) return null;
  const tokens = parts.find(({ lease }) => lease.key.kind === 'tokens_per_day');
  return tokens ? (tokens.amount - inputTokens) / exchange.completion.output.answers : ceiling;
}

const limitsOutput = ({ lease }: Hold['parts'][number]) =>
  !countsRequests(lease.key.kind) && !lease.isUnlimited;
