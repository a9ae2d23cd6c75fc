import { sql } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import type { ChosenRows, LogPage } from '#domain/request-log/chosen-rows.ts';
import { LogTimeoutError } from '#domain/request-log/log-store-error.ts';
import type { RefusalRange, ServedFilter, TenantLog } from '#domain/request-log/tenant-log.ts';
import type { ClickhouseConnection } from './connection.ts';
import * as lists from './lists.ts';
import * as replays from './replays.ts';
import * as reports from './reports.ts';
import * as requests from './single-requests.ts';
import { TenantReader } from './tenant-reader.ts';

/** Reads names and corrections in the caller's PostgreSQL transaction. */
export class ClickhouseLog implements TenantLog {
  readonly #access: lists.LogAccess;

  constructor(connection: ClickhouseConnection, tx: NodePgDatabase, tenantId: number) {
    this.#access = { tx, tenantId, rows: new TenantReader(connection, tenantId) };
  }

  async limitTime(timeoutMs: number): Promise<void> {
    this.#access.rows.limitTime(timeoutMs);
  }

  isTimeout(error: unknown): boolean {
    return error instanceof LogTimeoutError;
  }

  findPage(chosen: ChosenRows, { before, ...page }: LogPage) {
    return lists.findPage(this.#access, { ...chosen, before }, page);
  }

  selectRows(ids: readonly string[], textMax?: number) {
    return lists.selectRows(this.#access, ids, textMax);
  }

  countRows(chosen: ChosenRows, countMax: number) {
    return lists.countRows(this.#access, chosen, countMax);
  }

  countFacets(chosen: ChosenRows, rowsMax: number) {
    return lists.countFacets(this.#access, chosen, rowsMax);
  }

  sumRows(chosen: ChosenRows, rowsMax: number) {
    return lists.sumRows(this.#access, chosen, rowsMax);
  }

  findBody(id: string) {
    return requests.findBody(this.#access, id);
  }

  findOwnRow(id: string, userId: number) {
    return requests.findOwnRow(this.#access, id, userId);
  }

  findFigures(id: string) {
    return requests.findFigures(this.#access, id);
  }

  findPrompt(id: string, userId?: number) {
    return requests.findPrompt(this.#access, id, userId);
  }

  /** The audit functions in PostgreSQL read the owners of requests from this setting and from the log tables. */
  async noteOwners(listIds: () => Promise<readonly string[]>): Promise<void> {
    const owners = await requests.findOwners(this.#access, await listIds());
    const ownersJson = JSON.stringify(Object.fromEntries(owners));
    await this.#access.tx.execute(sql`SELECT set_config('app.request_owners', ${ownersJson}, true)`);
  }

  selectRecent(userId: number, limit: number) {
    return requests.selectRecent(this.#access, userId, limit);
  }

  findAnswered(rowsMax: number) {
    return requests.findAnswered(this.#access, rowsMax);
  }

  countOldRows(before: Date, countMax: number) {
    return reports.countOldRows(this.#access, before, countMax);
  }

  countOldBodies(range: readonly [from: Date, before: Date], countMax: number) {
    return reports.countOldBodies(this.#access, range, countMax);
  }

  countRefusals(range: RefusalRange) {
    return reports.countRefusals(this.#access, range);
  }

  selectLatencies(rowsMax: number) {
    return reports.selectLatencies(this.#access, rowsMax);
  }

  sumByProvider(days: number) {
    return reports.sumByProvider(this.#access, days);
  }

  countDrilled(llmProviderId: number, since: Date, rowsMax: number) {
    return reports.countDrilled(this.#access, llmProviderId, since, rowsMax);
  }

  selectDrilled(llmProviderId: number, since: Date, rowsMax: number) {
    return reports.selectDrilled(this.#access, llmProviderId, since, rowsMax);
  }

  readScored(days: number) {
    return replays.readScored(this.#access, days);
  }

  readServed(filter: ServedFilter) {
    return replays.readServed(this.#access, filter);
  }
}
