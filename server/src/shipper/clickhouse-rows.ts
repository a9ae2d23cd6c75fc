import { createHash, randomUUID } from 'node:crypto';
import { ClickHouseError } from '@clickhouse/client';
import type pg from 'pg';
import type { PutBodies } from '#body-store/write-bodies.ts';
import type { RequestRecord } from '#gateway/request-log/request-record.ts';
import type { Logger } from '#platform/logger.ts';
import type { ClickhouseConnection } from '#request-log/clickhouse/connection.ts';
import { selectExisting, settleInserts } from '#request-log/clickhouse/settle-inserts.ts';
import { toClickhouseRow } from './clickhouse-columns.ts';
import { type LogRow, noTexts } from './log-columns.ts';
import { AlreadyBookedError, type LogRowStore, selectInterrupted, selectShipped } from './log-row-store.ts';
import { findUndelivered, forgetUndelivered, restoreRows } from './undelivered-scores.ts';

export interface ClickhouseRowsOptions {
  readonly pool: pg.Pool;
  readonly connection: ClickhouseConnection;
  /** The name does not change after a restart. */
  readonly journal: string;
  /** By default, texts remain in the rows. */
  readonly putBodies?: PutBodies;
  readonly log: Logger;
}

/**
 * Writes rows to ClickHouse after the transaction that books the requests. If the process crashes or the insert
 * fails, requests are booked without rows. The journal then returns these requests again, and their rows are inserted
 * with the scores saved in `undelivered_scores`.
 */
export class ClickhouseRows implements LogRowStore {
  /** An insert of any size costs ClickHouse about 9 ms of CPU, because each column is stored separately. */
  readonly batchLimit = { settledRows: 2_000, bytes: 16 * 1024 * 1024 };
  readonly #options: ClickhouseRowsOptions;
  #freshFromMs = Date.now();

  constructor(options: ClickhouseRowsOptions) {
    this.#options = options;
  }

  async book(client: pg.ClientBase, rows: readonly LogRow[], hasPosition: boolean): Promise<void> {
    await this.#requireUnbooked(client, rows);
    if (!hasPosition) await client.query(insertInterrupted, [rows.map(({ record }) => record.id)]);
    const scored = rows.filter(({ score }) => score.user_score_after !== null);
    const object = rows.find(({ record }) => record.bodyPlace)?.record.bodyPlace?.object ?? null;
    const scores = Object.fromEntries(scored.map(({ record, score }) => [record.id, score]));
    // Write the record even without scores: it shows a process that later ships to PostgreSQL that rows may be
    // missing.
    await client.query(upsertScores, [
      this.#options.journal,
      JSON.stringify(scores),
      object,
      rows.map(({ record }) => record.id),
    ]);
  }

  async deliver(rows: readonly LogRow[]): Promise<void> {
    const isFresh = ({ record }: LogRow) => record.receivedAtMs >= this.#freshFromMs;
    const old = rows.filter((row) => !isFresh(row));
    const missing = new Set(await this.#findMissing(old.map(({ record }) => record)));
    await this.#insert(old.filter(({ record }) => missing.has(record)));
    await this.#insert(rows.filter(isFresh));
  }

  async redeliver(records: readonly RequestRecord[]): Promise<void> {
    const { journal, pool, putBodies } = this.#options;
    const undelivered = await findUndelivered(pool, journal);
    const missing = await this.#findMissing(records);
    await this.#insert(await restoreRows({ pool, putBodies }, missing, undelivered));
  }

  async findBooked(ids: readonly string[]): Promise<string[]> {
    const { pool } = this.#options;
    return [...(await selectInterrupted(pool, ids)), ...(await selectShipped(pool, ids))];
  }

  async findShipped(ids: readonly string[]): Promise<string[]> {
    const { connection, pool } = this.#options;
    return [...(await selectShipped(pool, ids)), ...(await selectExisting(connection, ids))];
  }

  noteLoss(): void {
    this.#freshFromMs = Date.now();
  }

  async forget(): Promise<void> {
    await forgetUndelivered(this.#options.pool, this.#options.journal);
    await this.#options.pool.query(deleteInterrupted);
  }

  /**
   * Checks requests received before this process started, or before PostgreSQL lost bookings.
   * @throws AlreadyBookedError if they were booked while PostgreSQL kept the log
   */
  async #requireUnbooked(client: pg.ClientBase, rows: readonly LogRow[]): Promise<void> {
    const old = rows.filter(({ record }) => record.receivedAtMs < this.#freshFromMs);
    if (old.length === 0) return;
    const booked = await selectShipped(
      client,
      old.map(({ record }) => record.id),
    );
    if (booked.length > 0) throw new AlreadyBookedError(`${booked.length} requests have rows in PostgreSQL`);
  }

  /** Returns the requests without a row. First cancels this journal's inserts that are still running on the server. */
  async #findMissing<Row extends RequestRecord>(records: readonly Row[]): Promise<readonly Row[]> {
    if (records.length === 0) return [];
    const { connection, journal } = this.#options;
    await settleInserts(connection, `${journal}/`);
    const existing = new Set(await this.findShipped(records.map(({ id }) => id)));
    return records.filter(({ id }) => !existing.has(id));
  }

  /** Halves the block repeatedly to isolate a row that ClickHouse rejects. */
  async #insert(rows: readonly LogRow[]): Promise<void> {
    if (rows.length === 0) return;
    const { connection, journal } = this.#options;
    const token = hashIds(rows.map(({ record }) => record.id));
    const queryId = `${journal}/${randomUUID()}`;
    try {
      await connection.insert('request_logs', rows.map(toClickhouseRow), { token, queryId });
    } catch (error) {
      if (!isContentError(error)) throw error;
      const [only, ...others] = rows;
      if (only && others.length === 0) return this.#insertWithoutTexts(only, error);
      const middle = Math.ceil(rows.length / 2);
      await this.#insert(rows.slice(0, middle));
      await this.#insert(rows.slice(middle));
    }
  }

  async #insertWithoutTexts({ record, score }: LogRow, error: Error): Promise<void> {
    const { connection, log } = this.#options;
    const requestId = record.id;
    log.error({ requestId, error }, 'ClickHouse rejected a request row; it was stored without its texts');
    const row = toClickhouseRow({ record: { ...record, ...noTexts }, score });
    try {
      await connection.insert('request_logs', [row], { token: hashIds([requestId, 'bare']) });
    } catch (cause) {
      if (!isContentError(cause)) throw cause;
      log.error({ requestId, error: cause }, 'ClickHouse rejected a request row permanently; it is lost');
    }
  }
}

const hashIds = (ids: readonly string[]): string => createHash('sha256').update(ids.join()).digest('hex');

/** Error codes of ClickHouse for parse errors and for values that a column cannot store. */
const contentCodes = new Set('6 25 26 27 33 38 41 53 69 72 117 130 349 376'.split(' '));

const isContentError = (error: unknown): error is ClickHouseError =>
  error instanceof ClickHouseError && contentCodes.has(error.code);

const insertInterrupted = 'INSERT INTO interrupted_requests SELECT * FROM unnest($1::uuid[])';
/** Locks `undelivered_scores` before the first insert, as required by `forgetClickhouse`. */
const upsertScores = `WITH noted AS (INSERT INTO clickhouse_log DEFAULT VALUES ON CONFLICT DO NOTHING)
  INSERT INTO undelivered_scores (journal, scores, body_object, request_ids) VALUES ($1, $2, $3, $4)
  ON CONFLICT (journal) DO UPDATE SET scores = EXCLUDED.scores, body_object = EXCLUDED.body_object,
    request_ids = EXCLUDED.request_ids, booked_at = now()`;
const deleteInterrupted =
  "DELETE FROM interrupted_requests WHERE id < uuid_floor(now() - interval '30 days')";
