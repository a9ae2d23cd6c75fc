import type { DeviationPolicy } from '@sluice/contract';
import { countRequest, type EndedRequest } from '#domain/deviation/count-request.ts';
import {
  type DeviationEvent,
  type DeviationState,
  findNextChange,
  foldEvents,
  foldNext,
  startState,
} from '#domain/deviation/fold.ts';
import type { ScoreChange } from '#domain/deviation/score.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';

/**
 * Deviation scores on this node: the last state from the database plus this node's own unshipped requests. Unshipped
 * requests of other nodes are missing, so these scores may reject single requests but never block a user.
 */
export interface Scoreboard {
  /**
   * Returns the score change that a request would cause; `null` if the request only continues one that was judged
   * before.
   */
  preview(userId: number, event: DeviationEvent, policy: DeviationPolicy): ScoreChange | null;
  /** Records an ended request whose row is being shipped to the database. */
  recordEnded(record: ScoredRequest): void;
  /** Applies the scores from the database, which includes the shipped requests. */
  applyShipped(shipped: readonly ShippedRequest[], scores: readonly UserScore[]): void;
}

export type ShippedRequest = Pick<ScoredRequest, 'id' | 'userId'>;

export interface UserScore {
  readonly userId: number;
  readonly state: DeviationState;
  readonly policy: DeviationPolicy;
}

interface Standing {
  base: DeviationState;
  ahead: DeviationState;
  readonly pending: Map<string, DeviationEvent>;
}

/** Requests older than this are in the database, even if the confirmation was lost. */
const longestRequestMs = 3_600_000;

export function createScoreboard({ tenants, users }: Pick<Snapshot, 'tenants' | 'users'>): Scoreboard {
  const standings = new Map<number, Standing>();
  const isUnscored = (userId: number) => users.get(userId)?.scoresDeviation === false;

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
    let standing = standings.get(userId);
    if (!standing) {
      standing = { base: known, ahead: known, pending: new Map() };
      standings.set(userId, standing);
    }
    // The snapshot may include this node's batch before `applyShipped` is called. Counting the batch twice could
    // reject a request.
    const knownAtMs = known.scoredAtMs ?? 0;
    if (knownAtMs > (standing.base.scoredAtMs ?? 0))
      rebase(standing, known, policy, ({ atMs }) => atMs > knownAtMs);
    return standing;
  };

  return {
    preview: (userId, event, policy) => findNextChange(find(userId, policy).ahead, event, policy.weights),
    recordEnded(record) {
      const event = countRequest(record);
      const policy = record.tenantId === null ? undefined : tenants.get(record.tenantId)?.deviationPolicy;
      if (record.userId === null || !event || !policy || isUnscored(record.userId)) return;
      const standing = find(record.userId, policy);
      standing.pending.set(record.id, event);
      standing.ahead = foldNext(standing.ahead, event, policy.weights)?.state ?? standing.ahead;
    },
    applyShipped(shipped, scores) {
      for (const { id, userId } of shipped) {
        if (userId !== null) standings.get(userId)?.pending.delete(id);
      }
      for (const { userId, state, policy } of scores) {
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

export interface ScoredRequest extends EndedRequest {
  readonly tenantId: number | null;
  readonly userId: number | null;
}
