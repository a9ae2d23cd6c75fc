import type pg from 'pg';
import { copyRows } from '#db/binary-copy.ts';
import type { RequestRecord } from '#gateway/request-log/request-record.ts';
import { bodyColumns, type LogRow, logColumns } from './log-columns.ts';
import { insertTextBlocks } from './text-blocks.ts';

/** Where the rows of one journal's requests are written. */
export interface LogRowStore {
  /**
   * Writes the rows, or what is needed to write them after the transaction, in the transaction that books the requests.
   * Fails with a unique violation if a request without a position is booked already.
   */
  book(client: pg.ClientBase, rows: readonly LogRow[], hasPosition: boolean): Promise<void>;
  /** Writes the rows of requests that have just been booked. */
  deliver(rows: readonly LogRow[]): Promise<void>;
  /** Writes the rows of requests that were booked earlier, unless they exist. */
  redeliver(records: readonly RequestRecord[]): Promise<void>;
  /** Returns which of these requests are booked, of those that were booked without a position. */
  findBooked(ids: readonly string[]): Promise<string[]>;
  /** Returns which of these requests have a row. */
  findShipped(ids: readonly string[]): Promise<string[]>;
  /** Called when PostgreSQL has lost bookings, so that requests with rows are booked again. */
  noteLoss(): void;
  /** Called when the journal has ended. */
  forget(): Promise<void>;
}

/** Writes the rows in the transaction that books the requests; a row's unique key shows that it exists. */
export function createPostgresRows(pool: pg.Pool): LogRowStore {
  return {
    async book(client, rows) {
      const records = rows.map(({ record }) => record);
      await copyRows(client, 'request_logs', logColumns, rows);
      await copyRows(client, 'request_log_bodies', bodyColumns, records);
      await insertTextBlocks(client, records);
    },
    deliver: async () => {},
    redeliver: async () => {},
    findBooked: (ids) => selectShipped(pool, ids),
    findShipped: (ids) => selectShipped(pool, ids),
    noteLoss: () => {},
    forget: async () => {},
  };
}

/** Returns which of these requests have a row in PostgreSQL. */
export async function selectShipped(
  client: Pick<pg.Pool, 'query'> | pg.ClientBase,
  ids: readonly string[],
): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(
    'SELECT id FROM request_logs WHERE id = ANY($1::uuid[])',
    [ids],
  );
  return rows.map(({ id }) => id);
}
