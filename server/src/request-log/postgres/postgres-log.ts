import { sql } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import type { ChosenRows, LogPage } from '#domain/request-log/chosen-rows.ts';
import type { RefusalRange, ServedFilter, TenantLog } from '#domain/request-log/tenant-log.ts';
import * as lists from './lists.ts';
import * as replays from './replays.ts';
import * as reports from './reports.ts';
import * as requests from './single-requests.ts';

/** `query_canceled` */
const canceledCode = '57014';

/** Tenant log in the database of the transaction. Row-level security also restricts access to the tenant's rows. */
export class PostgresLog implements TenantLog {
  readonly #tx: NodePgDatabase;
  readonly #tenantId: number;

  constructor(tx: NodePgDatabase, tenantId: number) {
    this.#tx = tx;
    this.#tenantId = tenantId;
  }

  async limitTime(timeoutMs: number): Promise<void> {
    await this.#tx.execute(sql`SELECT set_config('statement_timeout', ${String(timeoutMs)}, true)`);
  }

  isTimeout(error: unknown): boolean {
    const cause = error instanceof Error ? error.cause : undefined;
    return cause instanceof Error && Reflect.get(cause, 'code') === canceledCode;
  }

  findPage(chosen: ChosenRows, page: LogPage) {
    return lists.findPage(this.#tx, chosen, page);
  }

  selectRows(ids: readonly string[], textMax?: number) {
    return lists.selectRows(this.#tx, this.#tenantId, ids, textMax);
  }

  countRows(chosen: ChosenRows, countMax: number) {
    return lists.countRows(this.#tx, chosen, countMax);
  }

  countFacets(chosen: ChosenRows, rowsMax: number) {
    return lists.countFacets(this.#tx, this.#tenantId, chosen, rowsMax);
  }

  sumRows(chosen: ChosenRows, rowsMax: number) {
    return lists.sumRows(this.#tx, this.#tenantId, chosen, rowsMax);
  }

  findBody(id: string) {
    return requests.findBody(this.#tx, this.#tenantId, id);
  }

  findOwnRow(id: string, userId: number) {
    return requests.findOwnRow(this.#tx, this.#tenantId, id, userId);
  }

  findFigures(id: string) {
    return requests.findFigures(this.#tx, this.#tenantId, id);
  }

  findPrompt(id: string, userId?: number) {
    return requests.findPrompt(this.#tx, this.#tenantId, id, userId);
  }

  /** The audit functions read the same tables, so nothing needs to be noted. */
  async noteOwners(): Promise<void> {}

  selectRecent(userId: number, limit: number) {
    return requests.selectRecent(this.#tx, this.#tenantId, userId, limit);
  }

  findAnswered(rowsMax: number) {
    return requests.findAnswered(this.#tx, this.#tenantId, rowsMax);
  }

  countOldRows(before: Date, countMax: number) {
    return reports.countOldRows(this.#tx, this.#tenantId, before, countMax);
  }

  countOldBodies(range: readonly [from: Date, before: Date], countMax: number) {
    return reports.countOldBodies(this.#tx, this.#tenantId, range, countMax);
  }

  countRefusals(range: RefusalRange) {
    return reports.countRefusals(this.#tx, this.#tenantId, range);
  }

  selectLatencies(rowsMax: number) {
    return reports.selectLatencies(this.#tx, this.#tenantId, rowsMax);
  }

  sumByProvider(days: number) {
    return reports.sumByProvider(this.#tx, this.#tenantId, days);
  }

  countDrilled(llmProviderId: number, since: Date, rowsMax: number) {
    return reports.countDrilled(this.#tx, this.#tenantId, llmProviderId, since, rowsMax);
  }

  selectDrilled(llmProviderId: number, since: Date, rowsMax: number) {
    return reports.selectDrilled(this.#tx, this.#tenantId, llmProviderId, since, rowsMax);
  }

  readScored(days: number) {
    return replays.readScored(this.#tx, this.#tenantId, days);
  }

  readServed(filter: ServedFilter) {
    return replays.readServed(this.#tx, this.#tenantId, filter);
  }
}
