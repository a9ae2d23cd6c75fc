import type pg from 'pg';
import { createPool } from '#db/pool.ts';
import type { Logger } from '#platform/logger.ts';
import { replayJournal } from './journal/replay.ts';
import type { AdmittedRequest } from './request-journal.ts';
import type { RequestRecord } from './request-record.ts';
import { createShipRequests } from './ship-requests.ts';

/** Gives every request that a dead worker left in its slot the one row it is owed. */
export async function replaySlot(slotDir: string, connectionString: string, log: Logger): Promise<void> {
  const pool = createPool(connectionString, 1, 'sluice-replay');
  try {
    await replay(slotDir, pool, log);
  } finally {
    await pool.end();
  }
}

async function replay(slotDir: string, pool: pg.Pool, log: Logger): Promise<void> {
  const ship = createShipRequests(pool, log);
  const counts = await replayJournal<AdmittedRequest, RequestRecord>({
    dir: slotDir,
    shipSettled: (batch) => ship(batch.map(({ data }) => data)),
    shipInterrupted: (batch) => ship(batch.map(({ data }) => describeInterrupted(data))),
    onProblem: (problem) => log.error({ problem }, 'the journal of a stopped worker could not be read whole'),
  });
  if (counts.settled + counts.interrupted > 0)
    log.info({ slotDir, ...counts }, 'replayed the journal of a stopped worker');
}

function describeInterrupted(admitted: AdmittedRequest): RequestRecord {
  return {
    ...admitted,
    requestBody: null,
    response: null,
    status: 'error',
    httpStatus: 500,
    errorCode: 'interrupted',
    errorMessage: 'The gate stopped before this request was finished.',
  };
}
