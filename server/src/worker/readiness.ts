import type { UnreadyReason } from '@sluice/contract';
import type { GatewayNode } from '#gateway/allowance/node.ts';
import type { NodeJournal } from '#gateway/request-log/node-journal.ts';
import type { ChangeFeed } from '#gateway/snapshot/follow-changes.ts';
import type { StopSteps } from './stop-steps.ts';

export interface Readiness {
  /** Returns why the node does not accept requests; `null` if it accepts them. Reads only memory. */
  unreadiness(): UnreadyReason | null;
  /**
   * Returns what is unavailable while a ready node serves from leases and the snapshot; `null` if everything is
   * available.
   */
  degradation(): UnreadyReason | null;
  /** Returns one word for the reason why the database cannot be reached. */
  databaseFailure(): string | null;
  noteUnready(reason: UnreadyReason | null): void;
}

interface ReadinessParts {
  readonly steps: Pick<StopSteps, 'announced' | 'announce'>;
  readonly changes: Pick<ChangeFeed, 'unreadiness' | 'failure' | 'isFresh'>;
  readonly journal: Pick<NodeJournal, 'unreadiness'>;
  readonly node: Pick<GatewayNode, 'isLive'>;
}

export function createReadiness({ steps, changes, journal, node }: ReadinessParts): Readiness {
  let ofNode: UnreadyReason | null = null;
  const unreadiness = () => {
    if (steps.announced.aborted) return 'draining';
    const ownReason = ofNode ?? journal.unreadiness();
    if (ownReason !== null) return ownReason;
    // A node that can still serve requests from memory remains ready while the database is unreachable. Otherwise,
    // load balancers would remove all nodes at once.
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
