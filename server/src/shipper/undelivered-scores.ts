import type pg from 'pg';
import { scheduleChecks } from '#body-store/object-rows.ts';
import { keepBodies, type PlacedRecord, type PutBodies } from '#body-store/write-bodies.ts';
import { createSystemDatabase } from '#db/system.ts';
import type { RequestRecord } from '#gateway/request-log/request-record.ts';
import { toScoreColumns } from './fold-scores.ts';
import type { LogRow } from './log-columns.ts';

/** Last batch of a journal that was booked for ClickHouse. */
export interface Undelivered {
  readonly scores: Readonly<Record<string, LogRow['score']>>;
  /** Object that contains the batch's texts; `null` if the texts are in the rows. */
  readonly object: string | null;
}

/** Returns `null` if no batch of the journal was booked for ClickHouse. */
export async function findUndelivered(pool: pg.Pool, journal: string): Promise<Undelivered | null> {
  const { rows } = await pool.query<Undelivered>(selectScores, [journal]);
  return rows[0] ?? null;
}

/**
 * Also deletes records older than 30 days: their journals were lost with their disks, and their names are never
 * reused.
 */
export async function forgetUndelivered(pool: pg.Pool, journal: string): Promise<void> {
  await pool.query(deleteScores, [journal]);
}

const deleteScores =
  "DELETE FROM undelivered_scores WHERE journal = $1 OR booked_at < now() - interval '30 days'";
const selectScores = 'SELECT scores, body_object AS object FROM undelivered_scores WHERE journal = $1';

interface RestoreOptions {
  readonly pool: pg.Pool;
  readonly putBodies?: PutBodies | undefined;
}

/**
 * Returns the rows of previously booked requests and writes their texts. If the texts move to another object,
 * schedules a check of the previous object, because its texts may be unused.
 */
export async function restoreRows(
  { pool, putBodies = keepBodies }: RestoreOptions,
  records: readonly RequestRecord[],
  undelivered: Undelivered | null,
): Promise<LogRow[]> {
  const batch = await putBodies<PlacedRecord>(records);
  const object = batch.records.find(({ bodyPlace }) => bodyPlace)?.bodyPlace?.object;
  const booked = undelivered?.object ?? null;
  await createSystemDatabase(pool).transaction(async (tx) => {
    await batch.register(tx);
    if (booked !== null && booked !== object) await scheduleChecks(tx, [booked]);
  });
  return batch.records.map((record) => ({
    record,
    score: undelivered?.scores[record.id] ?? toScoreColumns(undefined),
  }));
}
