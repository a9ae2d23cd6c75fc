import { GatewayError } from '#errors/gateway-error.ts';
import { describeRefusal } from '../allowance/describe-limit.ts';
import type { Hold } from '../allowance/hold.ts';
import type { LeaseBook, NodeIdentity } from '../allowance/lease-book.ts';
import { readStandings, tellLimits } from '../allowance/limit-headers.ts';
import { LimitReached } from '../allowance/limit-reached.ts';
import { type LimitedRequest, limitRequest, requirePayable } from '../allowance/request-limits.ts';
import { countInput, priceUsage } from '../charge-usage.ts';
import { findChargedPrice } from '../pricing.ts';
import type { RequestJournal } from '../request-journal.ts';
import type { RecordedHold, RequestRecord } from '../request-record.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import type { Attempt, Planned } from './plan.ts';

export interface Admitted extends Planned {
  /** What it has taken from limits; `settle` gives back what it did not use. */
  readonly hold: Hold;
  /** The gate's cap on each answer, `null` where nothing limits it. */
  readonly outputCap: number | null;
}

export interface AdmitDeps {
  readonly journal: RequestJournal;
  readonly snapshot: Snapshot;
  readonly leases: LeaseBook;
  readonly node: NodeIdentity;
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
    const limited = limitRequest(planned, exchange.taskLimit, deps.snapshot);
    hold = await take(planned, limited, deps);
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
export function noteTarget(record: RequestRecord, { instance, model, teamId }: Attempt): void {
  record.llmProviderId = instance.id;
  record.providerKey = instance.providerKey;
  record.providerInstanceName = instance.name;
  record.model = model;
  record.teamId = teamId;
  record.isServiceManaged = instance.isServiceManaged;
}

async function take(
  { response }: Planned,
  { fit, subjects }: LimitedRequest,
  { leases, node }: AdmitDeps,
): Promise<Hold> {
  try {
    const taken = leases.admit(subjects, fit);
    const hold = taken instanceof Promise ? await taken : taken;
    tellLimits(response, readStandings(hold), node.nowMs());
    return hold;
  } catch (error) {
    if (error instanceof LimitReached) tellLimits(response, [error.facts], node.nowMs());
    throw describeRefusal(error, node.nowMs());
  }
}

// Should this process end before the request does, its row names the first planned provider and costs its input there.
function noteHold({ attempts: [first], record }: Planned, hold: RecordedHold, snapshot: Snapshot): void {
  record.hold = hold;
  if (!first) return;
  noteTarget(record, first);
  const charged = findChargedPrice(snapshot, first.instance, first.model, record.receivedAtMs);
  priceUsage(record, countInput(hold), charged);
}

async function journalAdmission(record: RequestRecord, journal: RequestJournal): Promise<void> {
  try {
    await journal.admit(record);
  } catch (cause) {
    throw new GatewayError('journal_full', 'The gate cannot record requests at the moment. Please retry.', {
      cause,
      retryAfterMs: 5_000,
    });
  }
}

function describeHold({ nodeId, parts }: Hold, inputTokens: number): RecordedHold {
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
