import type { UnreadyReason } from '@sluice/contract';
import type { NodeJournal } from '#gateway/request-log/node-journal.ts';
import type { ChangeFeed } from '#gateway/snapshot/follow-changes.ts';
import type { StopSteps } from './stop-steps.ts';

/** Whether this worker's node takes requests: as the supervisor sees the node, and as this worker sees its own parts. */
export interface Readiness {
  /** Answered from memory, so a probe waits for nothing. */
  unreadiness(): UnreadyReason | null;
  /** In a word, why the database cannot be reached. */
  databaseFailure(): string | null;
  /** What the supervisor tells. */
  noteUnready(reason: UnreadyReason | null): void;
}

export function createReadiness(
  steps: Pick<StopSteps, 'announced' | 'announce'>,
  changes: Pick<ChangeFeed, 'unreadiness' | 'failure'>,
  journal: Pick<NodeJournal, 'unreadiness'>,
): Readiness {
  let ofNode: UnreadyReason | null = null;
  return {
    unreadiness() {
      if (steps.announced.aborted) return 'draining';
      return ofNode ?? changes.unreadiness() ?? journal.unreadiness();
    },
    databaseFailure: changes.failure,
    noteUnready(reason) {
      if (reason === 'draining') steps.announce();
      else ofNode = reason;
    },
  };
}
