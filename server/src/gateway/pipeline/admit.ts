import { GatewayError } from '#errors/gateway-error.ts';
import type { Concurrency } from '../allowance/concurrency.ts';
import { describeRefusal } from '../allowance/describe-limit.ts';
import type { Hold } from '../allowance/hold.ts';
import type { LeaseBook, NodeIdentity } from '../allowance/lease-book.ts';
import { readStandings, tellLimits } from '../allowance/limit-headers.ts';
import { LimitReached } from '../allowance/limit-reached.ts';
import { type LimitedRequest, limitRequest, type TaskLimit } from '../allowance/request-limits.ts';
import type { RequestJournal } from '../request-journal.ts';
import type { RecordedHold } from '../request-record.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import type { Planned } from './plan.ts';

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
  readonly concurrency: Concurrency;
}

/**
 * Stage 8: takes from every limit that applies, all or nothing, and journals the admission. From here on the request
 * ends in exactly one log row, even when this process is killed.
 */
export async function admit(
  exchange: Planned & { readonly taskLimit?: TaskLimit },
  deps: AdmitDeps,
): Promise<Admitted> {
  const { principal, record } = exchange;
  if (!deps.concurrency.enter(principal.userId, record.apiKeyId)) throw describeCrowd();
  let hold: Hold | null = null;
  try {
    const limited = limitRequest(exchange, exchange.taskLimit ?? null, deps.snapshot);
    hold = await take(exchange, limited, deps);
    record.hold = describeHold(hold, limited.inputTokens);
    await journalAdmission(exchange, deps.journal);
    const outputCap = findOutputCap(hold, limited, exchange);
    return Object.assign(exchange, { hold, outputCap });
  } catch (error) {
    deps.concurrency.leave(principal.userId, record.apiKeyId);
    if (hold) deps.leases.settle(hold, []);
    record.hold = null;
    throw error;
  }
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

async function journalAdmission({ record }: Planned, journal: RequestJournal): Promise<void> {
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
  exchange: Planned & { readonly taskLimit?: TaskLimit },
): number | null {
  const { output } = exchange.completion;
  const limited = parts.find(({ lease }) => lease.key.kind !== 'requests_per_hour' && !lease.isUnlimited);
  if (!limited && exchange.taskLimit?.answerTokensMax == null) return null;
  const tokens = parts.find(({ lease }) => lease.key.kind === 'tokens_per_day');
  return tokens ? (tokens.amount - inputTokens) / output.answers : ceiling;
}

function describeCrowd(): GatewayError {
  return new GatewayError(
    'too_many_at_once',
    'Too many of your requests are in flight. Wait until one of them has ended.',
    { retryAfterMs: 1_000 },
  );
}
