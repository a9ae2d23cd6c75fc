import type { DeviationPolicy } from '@sluice/contract';
import { countRequest } from '#domain/deviation/count-request.ts';
import { type DeviationEvent, type DeviationState, foldEvents, startState } from '#domain/deviation/fold.ts';
import type { ScoreChange } from '#domain/deviation/score.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import type { ScoredRequest } from './scored-request.ts';

/**
 * Where people stand as far as this node knows: what the database last said, and this node's own requests that are
 * not in it yet. Other nodes' requests are missed for a moment, so this decides about single requests only.
 */
export interface Scoreboard {
  /** What a request would do to its person's score; `null` where it only goes on with what was judged before. */
  preview(userId: number, event: DeviationEvent, policy: DeviationPolicy): ScoreChange | null;
  /** A request has ended; its row is on the way to the database. */
  recordEnded(record: ScoredRequest): void;
  /** These requests have reached the database, where these people stand thus. */
  applyShipped(shipped: readonly ShippedRequest[], people: readonly ScoredPerson[]): void;
}

export type ShippedRequest = Pick<ScoredRequest, 'id' | 'userId'>;

export interface ScoredPerson {
  readonly userId: number;
  readonly state: DeviationState;
  readonly policy: DeviationPolicy;
}

interface Standing {
  /** As the database says. */
  base: DeviationState;
  /** With the requests that are pending. */
  ahead: DeviationState;
  readonly pending: Map<string, DeviationEvent>;
}

/** What has begun longer ago is in the database, though the message that said so was lost. */
const longestRequestMs = 3_600_000;

export function createScoreboard({ tenants, users }: Pick<Snapshot, 'tenants' | 'users'>): Scoreboard {
  const standings = new Map<number, Standing>();

  const rebase = (
    standing: Standing,
    base: DeviationState,
    { weights }: DeviationPolicy,
    isMissing: (event: DeviationEvent) => boolean = () => true,
  ) => {
    standing.base = base;
    standing.ahead = foldEvents(base, [...standing.pending.values()].filter(isMissing), weights).state;
  };

  const find = (userId: number, policy: DeviationPolicy): Standing => {
    const known = users.get(userId)?.deviation ?? startState;
    const standing = standings.getOrInsertComputed(userId, () => ({
      base: known,
      ahead: known,
      pending: new Map(),
    }));
    // What other nodes have shipped, or an unblocking; both are later than what this node knew. This node's own batch
    // may be in it before `applyShipped` is called: a request that counted twice would be refused for nothing.
    const knownAtMs = known.scoredAtMs ?? 0;
    if (knownAtMs > (standing.base.scoredAtMs ?? 0))
      rebase(standing, known, policy, ({ atMs }) => atMs > knownAtMs);
    return standing;
  };

  return {
    preview: (userId, event, policy) =>
      foldEvents(find(userId, policy).ahead, [event], policy.weights).folded[0]?.change ?? null,
    recordEnded(record) {
      const event = countRequest(record);
      const policy = record.tenantId === null ? undefined : tenants.get(record.tenantId)?.deviationPolicy;
      if (record.userId === null || !event || !policy) return;
      const standing = find(record.userId, policy);
      standing.pending.set(record.id, event);
      standing.ahead = foldEvents(standing.ahead, [event], policy.weights).state;
    },
    applyShipped(shipped, people) {
      for (const { id, userId } of shipped) {
        if (userId !== null) standings.get(userId)?.pending.delete(id);
      }
      for (const { userId, state, policy } of people) {
        const standing = standings.get(userId);
        if (standing) rebase(dropSettled(standing, state), state, policy);
      }
    },
  };
}

function dropSettled(standing: Standing, { scoredAtMs }: DeviationState): Standing {
  const { pending } = standing;
  const settledByMs = (scoredAtMs ?? 0) - longestRequestMs;
  for (const [id, { atMs }] of pending) if (atMs < settledByMs) pending.delete(id);
  return standing;
}
