import type { UsableTarget } from '#domain/access/judge-model.ts';
import { GatewayError } from '#errors/gateway-error.ts';
import { describeRefusal } from '../allowance/describe-limit.ts';
import type { Hold } from '../allowance/hold.ts';
import type { LeaseBook, NodeIdentity } from '../allowance/lease-book.ts';
import { LimitReached } from '../allowance/limit-reached.ts';
import type { Admitted, Planned, Received } from '../exchange.ts';
import { countInput, priceUsage } from '../metering/charge-usage.ts';
import { estimateTexts } from '../metering/estimate-texts.ts';
import { findChargedPrice } from '../metering/pricing.ts';
import { type LimitedRequest, limitRequest, requirePayable } from '../metering/request-limits.ts';
import type { RequestJournal } from '../request-log/request-journal.ts';
import type { RecordedHold, RequestRecord } from '../request-record.ts';
import { readStandings, tellLimits } from '../response/limit-headers.ts';
import type { InstanceEntry } from '../snapshot/entries.ts';
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
  const { record } = exchange;
  let hold: Hold | null = null;
  try {
    const planned = Object.assign(exchange, { attempts: requirePayable(exchange, deps.snapshot) });
    const prompt = planned.completion.readPrompt();
    const textsEstimate = await planned.work.run(estimateTexts(prompt.texts));
    const wanted = limitRequest(planned, { prompt, textsEstimate }, deps.snapshot);
    const { limited, ...taken } = await take(planned, wanted, deps);
    hold = taken.hold;
    noteHold(planned, describeHold(hold, limited.likelyInputTokens), deps.snapshot);
    await journalAdmission(record, deps.journal);
    return Object.assign(planned, { hold, outputCap: findOutputCap(hold, limited, exchange) });
  } catch (error) {
    if (hold) deps.leases.settle(hold, []);
    Object.assign(record, { hold: null, costNanoUsd: null, price: null });
    throw error;
  }
}

/** Whom a row names as the provider. */
export function noteTarget(
  record: RequestRecord,
  { instance, model, teamId }: UsableTarget<InstanceEntry>,
): void {
  record.llmProviderId = instance.id;
  record.providerKey = instance.providerKey;
  record.providerInstanceName = instance.name;
  record.model = model;
  record.teamId = teamId;
  record.isServiceManaged = instance.isServiceManaged;
}

interface Taken {
  readonly hold: Hold;
  readonly limited: LimitedRequest;
}

/** What an estimate would refuse is counted exactly before it is refused. */
export async function take(
  { response }: Received,
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
    tellLimits(response, readStandings(taken.hold), node.nowMs());
    return taken;
  } catch (error) {
    if (error instanceof LimitReached) tellLimits(response, [error.facts], node.nowMs());
    throw describeRefusal(error, node.nowMs());
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
function noteHold({ attempts: [first], record }: Planned, hold: RecordedHold, snapshot: Snapshot): void {
  record.hold = hold;
  if (!first) return;
  noteTarget(record, first);
  const charged = findChargedPrice(snapshot, first.instance, first.model, record.receivedAtMs);
  priceUsage(record, countInput(hold), charged);
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

export function describeHold({ nodeId, parts }: Hold, inputTokens: number): RecordedHold {
  return {
    nodeId,
    inputTokens,
    parts: parts.map(({ lease, amount, leased }) => ({
      kind: lease.key.kind,
      allowanceId: lease.state?.allowanceId ?? '',
      amount,
      leased,
      used: 0,
    })),
  };
}

/** The cap that the hold is for; a request that nothing limits is left as it is. */
function findOutputCap(
  { parts }: Hold,
  { ceiling, inputTokens }: LimitedRequest,
  exchange: Planned,
): number | null {
  const isLimited = parts.some(({ lease }) => lease.key.kind !== 'requests_per_hour' && !lease.isUnlimited);
  if (!isLimited && exchange.taskLimit?.answerTokensMax == null) return null;
  const tokens = parts.find(({ lease }) => lease.key.kind === 'tokens_per_day');
  return tokens ? (tokens.amount - inputTokens) / exchange.completion.output.answers : ceiling;
}
