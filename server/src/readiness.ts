import type { UnreadyReason } from '@sluice/contract';
import type { GatewayNode } from '#gateway/allowance/node.ts';
import type { NodeJournal } from '#gateway/request-log/node-journal.ts';
import type { ChangeFeed } from '#gateway/snapshot/follow-changes.ts';
import type { StopSteps } from './stop-steps.ts';

/** Whether this worker's node takes requests, as the supervisor sees the node and this worker its own parts. */
export interface Readiness {
  /** Returns why the node takes no requests, from memory; `null` if it does. */
  unreadiness(): UnreadyReason | null;
  /** Returns what a ready node lacks while it serves from leases and the snapshot; `null` if nothing. */
  degradation(): UnreadyReason | null;
  /** Returns in a word why the database cannot be reached. */
  databaseFailure(): string | null;
  /** Called with what the supervisor reports. */
  noteUnready(reason: UnreadyReason | null): void;
}

interface ReadinessParts {
  readonly steps: Pick<StopSteps, 'announced' | 'announce'>;
  readonly changes: Pick<ChangeFeed, 'unreadiness' | 'failure' | 'isFresh'>;
  readonly journal: Pick<NodeJournal, 'unreadiness'>;
  /** Whether what it has leased may still be spent. */
  readonly node: Pick<GatewayNode, 'isLive'>;
}

export function createReadiness({ steps, changes, journal, node }: ReadinessParts): Readiness {
  let ofNode: UnreadyReason | null = null;
  const unreadiness = () => {
    if (steps.announced.aborted) return 'draining';
    const ownReason = ofNode ?? journal.unreadiness();
    if (ownReason !== null) return ownReason;
    // Balancers would take out every node at once while all of them can still serve.
    return changes.isFresh() && node.isLive() ? null : (changes.unreadiness() ?? 'database_unreachable');
  };
  return {
    unreadiness,
    degradation: () => (unreadiness() === null ? changes.unreadiness() : null),
    databaseFailure: changes.failure,
    noteUnready(reason) {
      if (reason === 'draining') steps.announce();
      else ofNode = reason;
    },
  };
}
