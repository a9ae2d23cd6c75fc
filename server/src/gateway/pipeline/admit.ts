import { GatewayError } from '#errors/gateway-error.ts';
import type { Hold } from '../allowance/hold.ts';
import type { LeaseBook, NodeIdentity } from '../allowance/lease-book.ts';
import { limitError } from '../allowance/limit-error.ts';
import { LimitReached } from '../allowance/limit-reached.ts';
import { type Admitted, addResult, type Charge, type Planned, type Received } from '../exchange.ts';
import { countInput, priceUsage } from '../metering/charge-usage.ts';
import { estimateTexts } from '../metering/estimate-texts.ts';
import { findChargedPrice } from '../metering/pricing.ts';
import { type LimitedRequest, limitRequest } from '../metering/request-limits.ts';
import { assembleAdmitted, noCharge, recordHold } from '../request-log/assemble-record.ts';
import type { RequestJournal } from '../request-log/request-journal.ts';
import type { RequestRecord } from '../request-log/request-record.ts';
import { readLimitStates, setRateLimitHeaders } from '../response/limit-headers.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import type { TokenCounter } from '../token-count/token-counter.ts';

export interface AdmitDeps {
  readonly journal: RequestJournal;
  readonly snapshot: Snapshot;
  readonly leases: LeaseBook;
  readonly node: NodeIdentity;
  readonly tokenCounter: TokenCounter;
}

/**
 * Stage 9: takes from every limit that applies, all or nothing, and journals the admission. From here on the request
 * ends in exactly one log row, even when this process is killed.
 */
export async function admit(exchange: Planned, deps: AdmitDeps): Promise<Admitted> {
  const { leases, snapshot } = deps;
  const prompt = exchange.completion.readPrompt();
  const textsEstimate = await exchange.work.run(estimateTexts(prompt.texts));
  const wanted = limitRequest(exchange, { prompt, textsEstimate }, snapshot);
  const { hold, limited } = await take(exchange, wanted, deps);
  try {
    const [firstTarget] = exchange.attempts;
    const aimed = addResult(exchange, 'admit', { firstTarget });
    const { likelyInputTokens } = limited;
    const charge = chargeInput(aimed, likelyInputTokens, snapshot);
    await journalAdmission(
      assembleAdmitted(aimed, recordHold(hold, likelyInputTokens), charge),
      deps.journal,
    );
    const outputCap = findOutputCap(hold, limited, exchange);
    return addResult(aimed, 'admit', { hold, likelyInputTokens, outputCap });
  } catch (error) {
    leases.settle(hold, []);
    throw error;
  }
}

interface Taken {
  readonly hold: Hold;
  readonly limited: LimitedRequest;
}

/** What an estimate would refuse is counted exactly before it is refused. */
export async function take(
  { head }: Received,
  limited: LimitedRequest,
  { leases, node, tokenCounter }: AdmitDeps,
): Promise<Taken> {
  const lease = async (request: LimitedRequest): Promise<Taken> => {
    const taken = leases.admit(request.subjects, request.fit);
    return { hold: taken instanceof Promise ? await taken : taken, limited: request };
  };
  try {
    const taken = await lease(limited).catch(async (error: unknown) => {
      const counted = error instanceof LimitReached ? await recount(limited, error, tokenCounter) : null;
      if (!counted) throw error;
      return lease(counted);
    });
    setRateLimitHeaders(head, readLimitStates(taken.hold), node.nowMs());
    return taken;
  } catch (error) {
    if (error instanceof LimitReached) setRateLimitHeaders(head, [error.facts], node.nowMs());
    throw limitError(error, node.nowMs());
  }
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

// Should this process end before the request does, its row names the first planned provider and costs its input there.
function chargeInput(
  { firstTarget: { instance, model }, receivedAtMs }: Planned & Pick<Admitted, 'firstTarget'>,
  inputTokens: number,
  snapshot: Snapshot,
): Charge {
  const price = findChargedPrice(snapshot, instance, model, receivedAtMs);
  return { ...noCharge, ...priceUsage(countInput(inputTokens), price) };
}

export async function journalAdmission(record: RequestRecord, journal: RequestJournal): Promise<void> {
  try {
    await journal.admit(record);
  } catch (cause) {
    throw new GatewayError('journal_full', 'The gate cannot record requests at the moment. Please retry.', {
      cause,
      retryAfterMs: 5_000,
    });
  }
}

/** The cap that the hold is for; a request that nothing limits is left as it is. */
function findOutputCap(
  { parts }: Hold,
  { ceiling, hasTenantMax, inputTokens }: LimitedRequest,
  exchange: Planned,
): number | null {
  const isLimited = parts.some(({ lease }) => lease.key.kind !== 'requests_per_hour' && !lease.isUnlimited);
  if (!isLimited && !hasTenantMax && exchange.taskLimit?.answerTokensMax == null) return null;
  const tokens = parts.find(({ lease }) => lease.key.kind === 'tokens_per_day');
  return tokens ? (tokens.amount - inputTokens) / exchange.completion.output.answers : ceiling;
}
