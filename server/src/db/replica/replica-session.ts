import type pg from 'pg';
import { endTransaction } from '../held-connection.ts';
import type { ReportRead } from './report-read.ts';

export interface ReplicaTransaction {
  readonly client: pg.PoolClient;
  /** Time up to which the transaction sees all changes of the primary; `null` unless this is several seconds ago. */
  readonly staleAt: Date | null;
}

export interface ReplicaSessionParts {
  /** Transaction on the primary, used as the fallback for reports. */
  readonly primary: pg.PoolClient;
  /** Begins a transaction on the replica. Resolves to `null` if the primary must be read instead. Never rejects. */
  readonly begin: () => Promise<ReplicaTransaction | null>;
  /** Called with the error of a query that failed on the replica. The query is then sent to the primary. */
  readonly onFailure: (error: unknown) => void;
  readonly onStale: ReportRead['onStale'];
}

/**
 * `query_canceled`: a statement that is too slow on the replica is also too slow on the primary.
 * `read_only_sql_transaction`: reports must not change data.
 */
const finalCodes: ReadonlySet<unknown> = new Set(['57014', '25006']);

/**
 * Sends the report queries of a transaction to the replica. The first query begins the transaction there. If a query
 * fails, for example because of a recovery conflict, this query and all later ones are sent to the primary.
 */
export class ReplicaSession {
  readonly #parts: ReplicaSessionParts;
  #begun: Promise<ReplicaTransaction | null> | null = null;

  constructor(parts: ReplicaSessionParts) {
    this.#parts = parts;
  }

  /** Driver client method used by Drizzle. */
  readonly query = async (...args: [pg.QueryConfig, unknown[]]): Promise<unknown> => {
    const { primary, onFailure } = this.#parts;
    this.#begun ??= this.#begin();
    const begun = this.#begun;
    const transaction = await begun;
    if (transaction === null) return primary.query(...args);
    try {
      return await transaction.client.query(...args);
    } catch (error) {
      if (error instanceof Error && finalCodes.has(Reflect.get(error, 'code'))) throw error;
      if (this.#begun === begun) {
        this.#begun = Promise.resolve(null);
        onFailure(error);
        await endTransaction(transaction.client, 'ROLLBACK');
      }
      return primary.query(...args);
    }
  };

  async close(): Promise<void> {
    const transaction = await this.#begun;
    if (transaction) await endTransaction(transaction.client, 'COMMIT');
  }

  async #begin(): Promise<ReplicaTransaction | null> {
    const transaction = await this.#parts.begin();
    if (transaction?.staleAt) this.#parts.onStale(transaction.staleAt);
    return transaction;
  }
}
