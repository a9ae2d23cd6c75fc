import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import type { OpenTenantLog } from '#db/tenant.ts';
import type { RequestFigures } from '#domain/request-log/log-rows.ts';

/** Retention periods of a tenant's rows and texts, in days. */
export interface KeptDays {
  readonly tenantId: number;
  readonly retentionDays: number;
  readonly bodyRetentionDays: number;
}

export interface IdRange {
  readonly first: string;
  /** Exclusive upper bound. */
  readonly end: string;
}

export interface AwaitedRequest {
  readonly tenantId: number;
  readonly clientRequestId: string;
  readonly since: Date;
  /** Exclusive upper bound. */
  readonly until: Date;
}

export interface FoundRequest extends RequestFigures {
  readonly id: string;
  readonly tenantId: number;
  readonly clientRequestId: string;
}

export interface FailedInstance {
  readonly llmProviderId: number;
  readonly tenantId: number;
  /** Time in PostgreSQL's format. */
  readonly seenAt: string;
}

/** Missing filters do not apply. */
export interface TailFilter {
  readonly email?: string | undefined;
  readonly tenantSlug?: string | undefined;
  readonly model?: string | undefined;
  readonly status?: string | undefined;
}

export interface TailRow {
  readonly id: string;
  /** ISO 8601 timestamp. */
  readonly received_at: string;
  readonly tenant: string;
  readonly email: string | null;
  readonly provider: string | null;
  readonly model: string | null;
  readonly status: string;
  readonly http_status: number;
  readonly error_code: string | null;
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly response_time_ms: number;
}

/**
 * Request log of the installation. Opens the log of a tenant and provides operations across tenants. These operations
 * receive the caller's connection or transaction, which is used for names and for a log in the same database.
 */
export interface RequestLog {
  readonly openTenant: OpenTenantLog;
  /**
   * Deletes rows and texts whose retention has expired: whole days if no tenant keeps them, other rows in batches.
   * Returns the number of changed partitions, and the number of other rows whose data was deleted.
   */
  deleteExpired(
    database: NodePgDatabase,
    kept: readonly KeptDays[],
    nowMs: number,
    signal: AbortSignal,
  ): Promise<{ readonly partitions: number; readonly rows: number }>;
  /** Returns the number of deleted rows. */
  deleteOfUser(
    database: NodePgDatabase,
    user: { readonly tenantId: number; readonly userId: number },
    signal: AbortSignal,
  ): Promise<number>;
  /** Returns the objects in object storage that contain texts of a user's rows. */
  listObjectsOfUser(
    database: NodePgDatabase,
    user: { readonly tenantId: number; readonly userId: number },
  ): Promise<string[]>;
  /**
   * Returns the subset of ids whose texts are in the object, according to the rows of both databases; `null` while
   * rows may be in a database that this log cannot read.
   */
  findPlaced(database: NodePgDatabase, object: string, ids: readonly string[]): Promise<string[] | null>;
  /** Returns the subset of ids that have rows. */
  findExisting(database: NodePgDatabase, ids: readonly string[]): Promise<string[]>;
  /**
   * Whether this log has all rows of the range. False if a row is only in another database, from which a move may
   * copy it later.
   */
  hasAllRows(database: NodePgDatabase, range: IdRange): Promise<boolean>;
  /** Finds requests by their client's request id. */
  findAwaited(database: NodePgDatabase, awaited: readonly AwaitedRequest[]): Promise<FoundRequest[]>;
  /** Returns the instances that have served a request since they failed. */
  listRecovered<Failed extends FailedInstance>(
    database: NodePgDatabase,
    failed: readonly Failed[],
  ): Promise<Failed[]>;
  /** Returns the newest rows of all tenants in ascending order. */
  selectNewest(database: NodePgDatabase, filter: TailFilter, limit: number): Promise<TailRow[]>;
  /** Builds indexes of past days that are not updated with each row; returns the number of days. */
  indexDays(nowMs: number, signal: AbortSignal): Promise<number>;
  /** Closes the connections that the log has opened itself. */
  readonly close: () => Promise<void>;
}
