import type pg from 'pg';
import { withQueryTimeout } from '../query-timeout.ts';
import type { ReportRead } from './report-read.ts';

/** A read-only transaction of one tenant on the replica. */
export interface ReplicaTransaction {
  readonly client: pg.PoolClient;
  /** Time up to which the transaction sees all changes of the primary, if that is several seconds ago. */
  readonly staleAt: Date | null;
}

export interface ReplicaSessionParts {
  /** Transaction on the primary whose reports are read. */
  readonly primary: pg.PoolClient;
  /** Begins a transaction; resolves with `null` if the primary must be read instead. Does not reject. */
  readonly begin: () => Promise<ReplicaTransaction | null>;
  /** Called with the failure of a query, which is then sent to the primary. */
  readonly onFailure: (error: unknown) => void;
  readonly onStale: ReportRead['onStale'];
}

/**
 * `query_canceled`: a statement that is too slow on the replica is too slow on the primary as well.
 * `read_only_sql_transaction`: reports must not change data.
 */
const finalCodes: ReadonlySet<unknown> = new Set(['57014', '25006']);

/**
 * Sends the queries of a transaction's reports to the replica, starting with the first one. A query that fails there,
 * for example because of a conflict with recovery, is sent to the primary, and so are all following ones.
 */
export class ReplicaSession {
  readonly #parts: ReplicaSessionParts;
  #begun: Promise<ReplicaTransaction | null> | null = null;

  constructor(parts: ReplicaSessionParts) {
    this.#parts = parts;
  }

  /** Method of a driver's client that Drizzle uses. */
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
        await end(transaction.client, 'ROLLBACK');
      }
      return primary.query(...args);
    }
  };

  async close(): Promise<void> {
    const transaction = await this.#begun;
    if (transaction) await end(transaction.client, 'COMMIT');
  }

  async #begin(): Promise<ReplicaTransaction | null> {
    const transaction = await this.#parts.begin();
    if (transaction?.staleAt) this.#parts.onStale(transaction.staleAt);
    return transaction;
  }
}

/** Ends a transaction and returns its connection to the pool; closes a connection that does not respond. */
export async function end(client: pg.PoolClient, statement: 'COMMIT' | 'ROLLBACK'): Promise<void> {
  await client.query(withQueryTimeout(statement)).then(
    () => client.release(),
    (broken: Error) => client.release(broken),
  );
}
