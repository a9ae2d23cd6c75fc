import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import type { Clock } from '#platform/clock.ts';
import type { Logger } from '#platform/logger.ts';
import { installationLocks } from '../installation-locks.ts';
import type { SystemDatabase } from '../system.ts';
import { attachDay, createDayTable, dayOf, dayPartition, defaultOf } from './day-partition.ts';
import { isLockTaken } from './drop-day.ts';
import { abandonMove, beginMove, continueMove, findMove } from './move-strays.ts';

const logTables = ['request_logs', 'request_log_bodies', 'request_log_text_blocks'];
const daysAhead = 14;
/** Slightly longer than the second after which autovacuum releases its lock. */
const lockTimeoutMs = 1_200;
const retryMs = 2_000;
const triesMax = 60;

export interface KeepLogPartitionsOptions {
  readonly clock: Clock;
  readonly log: Logger;
  /** Stops after the current step. The next call continues with the following step. */
  readonly signal: AbortSignal;
  readonly batchRows?: number;
}

/**
 * Creates the daily partitions of the request log 14 days ahead, and moves rows from default partitions to the
 * partitions of their days. Uses short transactions, which several nodes may share. If tables remain locked, the
 * remaining steps are left to the next call.
 */
export async function keepLogPartitions(
  database: SystemDatabase,
  { clock, log, signal, batchRows = 2_000 }: KeepLogPartitionsOptions,
): Promise<void> {
  for (const parent of logTables) {
    let isDone = false;
    for (let tries = 0; !isDone && tries < triesMax && !signal.aborted; ) {
      try {
        isDone = await inTurn(database, (tx) => takeStep(tx, parent, dayOf(clock()), batchRows));
        tries = 0;
      } catch (error) {
        if (!isLockTaken(error)) {
          await inTurn(database, (tx) => abandonMove(tx, parent));
          throw error;
        }
        tries += 1;
        await pause(retryMs, undefined, { signal }).catch(() => undefined);
      }
    }
    if (!isDone) log.warn({ table: parent }, 'the partitions of the request log could not be updated yet');
  }
}

async function takeStep(
  tx: SystemDatabase,
  parent: string,
  today: number,
  batchRows: number,
): Promise<boolean> {
  const move = await findMove(tx, parent);
  if (move) {
    await continueMove(tx, parent, move, batchRows);
    return false;
  }
  if (await hasStrays(tx, parent)) {
    await beginMove(tx, parent);
    return false;
  }
  const missing = await listMissing(tx, parent, today);
  if (missing.length === 0) return true;
  await tx.execute(sql.raw(`LOCK TABLE ONLY ${parent} IN SHARE UPDATE EXCLUSIVE MODE`));
  await tx.execute(sql.raw(`LOCK TABLE ${defaultOf(parent)} IN ACCESS EXCLUSIVE MODE`));
  if (await hasStrays(tx, parent)) return false;
  for (const day of missing) {
    await createDayTable(tx, parent, dayPartition(parent, day));
    await attachDay(tx, parent, dayPartition(parent, day));
  }
  return true;
}

async function hasStrays(tx: SystemDatabase, parent: string): Promise<boolean> {
  const { rows } = await tx.execute(sql`SELECT FROM ${sql.raw(defaultOf(parent))} LIMIT 1`);
  return rows.length > 0;
}

/** Returns the missing days starting with yesterday, because the clocks of other nodes may be slow. */
async function listMissing(tx: SystemDatabase, parent: string, today: number): Promise<number[]> {
  const { rows } = await tx.execute<{ table: string }>(
    sql`SELECT c.relname AS "table" FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid WHERE i.inhparent = ${parent}::regclass`,
  );
  const present = new Set(rows.map(({ table }) => table));
  return Array.from({ length: daysAhead + 2 }, (_, step) => today - 1 + step).filter(
    (day) => !present.has(dayPartition(parent, day).table),
  );
}

function inTurn<Result>(
  database: SystemDatabase,
  work: (tx: SystemDatabase) => Promise<Result>,
): Promise<Result> {
  return database.transaction(async (tx) => {
    await tx.execute(sql.raw(`SET LOCAL lock_timeout = ${lockTimeoutMs}`));
    await tx.execute(sql`SELECT pg_advisory_xact_lock(${installationLocks.partitionStep})`);
    return work(tx);
  });
}
