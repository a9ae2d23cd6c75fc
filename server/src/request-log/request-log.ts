import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import type { OpenTenantLog } from '#db/tenant.ts';
import type { RequestFigures } from '#domain/request-log/log-rows.ts';

/** Number of days that a tenant keeps its rows and its texts. */
export interface KeptDays {
  readonly tenantId: number;
  readonly retentionDays: number;
  readonly bodyRetentionDays: number;
}

export interface IdRange {
  readonly first: string;
  /** Exclusive end. */
  readonly end: string;
}

/** A request identified by the id that its client sent, and the time range in which it was received. */
export interface AwaitedRequest {
  readonly tenantId: number;
  readonly clientRequestId: string;
  readonly since: Date;
  /** Exclusive end. */
  readonly until: Date;
}

export interface FoundRequest extends RequestFigures {
  readonly id: string;
  readonly tenantId: number;
  readonly clientRequestId: string;
}

/** An instance that was unavailable at some time. */
export interface FailedInstance {
  readonly llmProviderId: number;
  readonly tenantId: number;
  /** Time as formatted by PostgreSQL. */
  readonly seenAt: string;
}

/** Filters of `sluice logs tail`; absent ones do not apply. */
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
 * Request log of the installation: opens the log of a tenant and works across tenants. The methods across tenants
 * receive the caller's connection or transaction, for names and for a log in the same database.
 */
export interface RequestLog {
  readonly openTenant: OpenTenantLog;
  /** Deletes rows and texts that no tenant keeps, whole days if possible; returns the number of days and rows. */
  deleteExpired(
    database: NodePgDatabase,
    kept: readonly KeptDays[],
    nowMs: number,
    signal: AbortSignal,
  ): Promise<{ readonly partitions: number; readonly rows: number }>;
  /** Deletes all rows and texts of a user; returns the number of rows. */
  deleteOfUser(
    database: NodePgDatabase,
    user: { readonly tenantId: number; readonly userId: number },
    signal: AbortSignal,
  ): Promise<number>;
  /** Returns the objects in object storage with texts of a user's rows. */
  listObjectsOfUser(
    database: NodePgDatabase,
    user: { readonly tenantId: number; readonly userId: number },
  ): Promise<string[]>;
  /**
   * Returns which of the requests have texts in this object, according to the rows of both databases; `null` while
   * rows may be in a database that this log cannot read.
   */
  findPlaced(database: NodePgDatabase, object: string, ids: readonly string[]): Promise<string[] | null>;
  /** Returns which of the requests have rows. */
  findExisting(database: NodePgDatabase, ids: readonly string[]): Promise<string[]>;
  /**
   * Whether this log has all rows of the range, so that none is only in another database, where a move may find it
   * later.
   */
  hasAllRows(database: NodePgDatabase, range: IdRange): Promise<boolean>;
  /** Finds requests by the ids that their clients sent. */
  findAwaited(database: NodePgDatabase, awaited: readonly AwaitedRequest[]): Promise<FoundRequest[]>;
  /** Returns which of the instances have served a request since they failed. */
  listRecovered<Failed extends FailedInstance>(
    database: NodePgDatabase,
    failed: readonly Failed[],
  ): Promise<Failed[]>;
  /** Returns the newest rows of all tenants in ascending order. */
  selectNewest(database: NodePgDatabase, filter: TailFilter, limit: number): Promise<TailRow[]>;
  /** Closes the connections that the log has opened itself. */
  readonly close: () => Promise<void>;
}
