import type pg from 'pg';
import type { PutBodies } from '#body-store/write-bodies.ts';
import { copyRows } from '#db/binary-copy.ts';
import { withConnection } from '#db/held-connection.ts';
import type { RequestRecord } from '#gateway/request-log/request-record.ts';
import { bodyColumns, type LogRow, logColumns } from './log-columns.ts';
import type { ReadLimit } from './read-frames.ts';
import { insertTextBlocks } from './text-blocks.ts';
import { findUndelivered, forgetUndelivered, restoreRows } from './undelivered-scores.ts';

export interface LogRowStore {
  /** Maximum size of a batch, if the default is unsuitable for the store. */
  readonly batchLimit?: ReadLimit;
  /**
   * Writes the rows in the transaction that books the requests, or saves what `deliver` needs to write them later.
   * Fails with a unique violation if a request without a position is already booked.
   */
  book(client: pg.ClientBase, rows: readonly LogRow[], hasPosition: boolean): Promise<void>;
  /** Writes the rows of requests that have just been booked. */
  deliver(rows: readonly LogRow[]): Promise<void>;
  /** Writes the missing rows of requests that were booked earlier. */
  redeliver(records: readonly RequestRecord[]): Promise<void>;
  /** Returns the subset of ids whose requests were booked without a position. */
  findBooked(ids: readonly string[]): Promise<string[]>;
  /** Returns the subset of ids whose requests have a row. */
  findShipped(ids: readonly string[]): Promise<string[]>;
  /** Called when PostgreSQL has lost bookings. Requests that already have rows are then booked again. */
  noteLoss(): void;
  /** Deletes the store's records about the journal. Call when the journal has been shipped completely. */
  forget(): Promise<void>;
}

/**
 * Creates a store that writes the rows in the transaction that books the requests. The unique key of the rows
 * prevents duplicates. If a journal name is given, the store also writes rows that a previous process booked for
 * ClickHouse but did not deliver.
 */
export function createPostgresRows(pool: pg.Pool, journal?: string, putBodies?: PutBodies): LogRowStore {
  return {
    async book(client, rows, hasPosition) {
      const ids = rows.map(({ record }) => record.id);
      const booked = hasPosition || journal === undefined ? [] : await selectInterrupted(client, ids);
      if (booked.length > 0) throw new AlreadyBookedError(`${booked.length} requests are already booked`);
      await insertRows(client, rows);
    },
    deliver: async () => {},
    async redeliver(records) {
      const undelivered = journal === undefined ? null : await findUndelivered(pool, journal);
      if (!undelivered) return;
      const existing = new Set(
        await selectShipped(
          pool,
          records.map(({ id }) => id),
        ),
      );
      const absent = records.filter(({ id }) => !existing.has(id));
      if (absent.length === 0) return;
      const missing = await restoreRows({ pool, putBodies }, absent, undelivered);
      await withConnection(pool, async (client) => {
        await client.query('BEGIN');
        await insertRows(client, missing);
        await client.query('COMMIT');
      });
    },
    findBooked: async (ids) => [
      ...(journal === undefined ? [] : await selectInterrupted(pool, ids)),
      ...(await selectShipped(pool, ids)),
    ],
    findShipped: (ids) => selectShipped(pool, ids),
    noteLoss: () => {},
    async forget() {
      if (journal !== undefined) await forgetUndelivered(pool, journal);
    },
  };
}

async function insertRows(client: pg.ClientBase, rows: readonly LogRow[]): Promise<void> {
  const records = rows.map(({ record }) => record);
  await copyRows(client, 'request_logs', logColumns, rows);
  await copyRows(client, 'request_log_bodies', bodyColumns, records);
  await insertTextBlocks(client, records);
}

/**
 * Thrown when requests are already booked. Has the error code of the unique violation that PostgreSQL's tables raise
 * in the same case.
 */
export class AlreadyBookedError extends Error {
  override readonly name = 'AlreadyBookedError';
  readonly code = '23505';
}

type Queryable = Pick<pg.Pool, 'query'> | pg.ClientBase;

/** Returns the subset of ids whose requests were booked without a position while ClickHouse kept the log. */
export async function selectInterrupted(client: Queryable, ids: readonly string[]): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(
    'SELECT id FROM interrupted_requests WHERE id = ANY($1::uuid[])',
    [ids],
  );
  return rows.map(({ id }) => id);
}

export async function selectShipped(client: Queryable, ids: readonly string[]): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(
    'SELECT id FROM request_logs WHERE id = ANY($1::uuid[])',
    [ids],
  );
  return rows.map(({ id }) => id);
}
