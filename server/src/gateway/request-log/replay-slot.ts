import type pg from 'pg';
import { createPool } from '#db/pool.ts';
import { usedOf } from '#domain/allowance/settlement.ts';
import type { Logger } from '#platform/logger.ts';
import { releaseNodes } from '../allowance/expired-nodes.ts';
import { createNodeIds } from '../allowance/node-ids.ts';
import { replayJournal } from '../journal/replay.ts';
import { countInput, sumUse } from '../metering/charge-usage.ts';
import type { RequestRecord } from './request-record.ts';
import { createShipRequests } from './ship-requests.ts';

/**
 * Gives every request that a dead worker left in its slot its one row, and then gives back what the worker
 * still held of limits.
 */
export async function replaySlot(slotDir: string, connectionString: string, log: Logger): Promise<void> {
  const pool = createPool(connectionString, 1, 'sluice-replay');
  try {
    await replay(slotDir, pool, log);
    const nodeIds = createNodeIds(slotDir);
    await releaseNodes(pool, nodeIds.read());
    nodeIds.forget();
  } finally {
    await pool.end();
  }
}

async function replay(slotDir: string, pool: pg.Pool, log: Logger): Promise<void> {
  const ship = createShipRequests({ pool, nodeSlot: readSlotNumber(slotDir), log });
  const counts = await replayJournal<RequestRecord, RequestRecord>({
    dir: slotDir,
    shipSettled: (batch) => ship(batch.map(({ data }) => data)),
    shipInterrupted: (batch) => ship(batch.map(({ data }) => interruptedRecord(data))),
    onProblem: (problem) => log.error({ problem }, 'the journal of a stopped worker could not be read whole'),
  });
  if (counts.settled + counts.interrupted > 0)
    log.info({ slotDir, ...counts }, 'replayed the journal of a stopped worker');
}

/** Slots are folders `slot-<number>`; any other folder counts as the first. */
function readSlotNumber(slotDir: string): number {
  return Number(/slot-(\d+)$/.exec(slotDir)?.[1] ?? 0);
}

// Its provider was most likely called, and what it did is not known: the input is charged, at the cost of its admission.
function interruptedRecord(admitted: RequestRecord): RequestRecord {
  const { costNanoUsd, hold, isServiceManaged } = admitted;
  const interrupted: RequestRecord = {
    ...admitted,
    status: 'error',
    httpStatus: 500,
    errorCode: 'interrupted',
    errorMessage: 'The gate stopped before this request was finished.',
    isSent: true,
  };
  if (!hold) return interrupted;
  const usage = countInput(hold.inputTokens);
  const use = sumUse({ costNanoUsd, usage }, true, isServiceManaged);
  const parts = hold.parts.map((part) => ({ ...part, used: usedOf(part.kind, use) }));
  return { ...interrupted, usage, usageSource: 'estimated', hold: { ...hold, parts } };
}
