import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import type { LogRow } from '#domain/request-log/log-rows.ts';
import { PostgresLog } from './postgres-log.ts';

/**
 * Tenant log that reads lists and reports from a replica. Single requests are read from the primary, so that a
 * request is found as soon as it is stored.
 */
export class ReplicaLog extends PostgresLog {
  readonly #primary: PostgresLog;

  constructor(primary: NodePgDatabase, reports: NodePgDatabase, tenantId: number) {
    super(reports, tenantId);
    this.#primary = new PostgresLog(primary, tenantId);
  }

  /** Limits both transactions, because a query that fails on the replica is repeated on the primary. */
  override async limitTime(timeoutMs: number): Promise<void> {
    await this.#primary.limitTime(timeoutMs);
    await super.limitTime(timeoutMs);
  }

  override async selectRows(ids: readonly string[], textMax?: number): Promise<LogRow[]> {
    const replayed = await super.selectRows(ids, textMax);
    if (replayed.length === ids.length) return replayed;
    const found = new Set(replayed.map(({ id }) => id));
    const missing = ids.filter((id) => !found.has(id));
    const rows = [...replayed, ...(await this.#primary.selectRows(missing, textMax))];
    return rows.toSorted((one, other) => (one.id < other.id ? 1 : -1));
  }

  override findBody(id: string) {
    return this.#primary.findBody(id);
  }

  override findOwnRow(id: string, userId: number) {
    return this.#primary.findOwnRow(id, userId);
  }

  override findFigures(id: string) {
    return this.#primary.findFigures(id);
  }

  override findPrompt(id: string, userId?: number) {
    return this.#primary.findPrompt(id, userId);
  }
}
