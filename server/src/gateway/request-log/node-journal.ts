import type { UnreadyReason } from '@sluice/contract';
import { systemClock } from '#platform/clock.ts';
import type { Logger } from '#platform/logger.ts';
import type { Scoreboard } from '../deviation/scoreboard.ts';
import { Journal } from '../journal/journal.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { createRequestJournal, type RequestJournal } from './request-journal.ts';

export interface NodeJournalOptions {
  readonly dir: string;
  readonly isSynced: boolean;
  readonly scoreboard: Scoreboard;
  readonly tenants: Snapshot['tenants'];
  readonly log: Logger;
}

export interface NodeJournal {
  readonly requests: RequestJournal;
  /** Returns why the worker accepts no requests; `null` if it accepts requests. */
  unreadiness(): UnreadyReason | null;
  /** Releases the journal to the shipper, which then returns this node's leases. */
  close(): void;
}

export function openNodeJournal(options: NodeJournalOptions): NodeJournal {
  const { dir, isSynced, scoreboard, tenants, log } = options;
  const onProblem = (problem: object) => log.warn({ problem }, 'the journal reported a problem');
  const journal = new Journal({ dir, syncEveryBatch: isSynced, onProblem });
  const requests = createRequestJournal(journal, {
    clock: systemClock,
    // If the tenant is unknown, no texts may be stored.
    promptPrivacyOf: (tenantId) => tenants.get(tenantId ?? 0)?.promptPrivacy ?? 'metadata',
    onSettled: scoreboard.recordEnded,
  });
  return {
    requests,
    unreadiness() {
      if (!journal.isHealthy) return 'data_folder_full';
      return journal.isFull ? 'journal_full' : null;
    },
    close: () => journal.close(),
  };
}
