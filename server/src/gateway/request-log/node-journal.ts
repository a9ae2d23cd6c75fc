import type pg from 'pg';
import { systemClock } from '#platform/clock.ts';
import type { Logger } from '#platform/logger.ts';
import type { Scoreboard } from '../deviation/scoreboard.ts';
import { openJournal } from '../journal/journal.ts';
import { startShipping } from '../journal/shipping.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { createRequestJournal, type RequestJournal } from './request-journal.ts';
import type { RequestRecord } from './request-record.ts';
import { createShipRequests } from './ship-requests.ts';

export interface NodeJournalOptions {
  readonly dir: string;
  readonly nodeSlot: number;
  readonly isSynced: boolean;
  readonly pool: pg.Pool;
  readonly scoreboard: Scoreboard;
  readonly tenants: Snapshot['tenants'];
  readonly log: Logger;
}

/** This worker's journal on disk and its way to the database. */
export interface NodeJournal {
  readonly requests: RequestJournal;
  /**
   * Ships what is left; what the database does not take in time waits on disk for the next start. True when nothing
   * has to wait.
   */
  close(): Promise<boolean>;
}

const flushMs = 10_000;

export function openNodeJournal(options: NodeJournalOptions): NodeJournal {
  const { dir, nodeSlot, isSynced, pool, scoreboard, tenants, log } = options;
  const onProblem = (problem: object) => log.warn({ problem }, 'the journal has a problem');
  const journal = openJournal<RequestRecord, RequestRecord>({ dir, syncEveryBatch: isSynced, onProblem });
  const ship = createShipRequests({ pool, nodeSlot, scoreboard, log });
  const shipping = startShipping({
    journal,
    ship: (batch) => ship(batch.map(({ data }) => data)),
    onProblem,
  });
  const requests = createRequestJournal(journal, {
    clock: systemClock,
    // Of a tenant that is not known nothing may be written.
    promptPrivacyOf: (tenantId) => tenants.get(tenantId ?? 0)?.promptPrivacy ?? 'metadata',
    onSettled: scoreboard.recordEnded,
  });
  return {
    requests,
    async close() {
      const isAllSettled = await requests.close();
      const isAllShipped = await shipping.flush(flushMs);
      await shipping.stop();
      await journal.close();
      return isAllSettled && isAllShipped;
    },
  };
}
