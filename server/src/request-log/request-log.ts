import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import type { OpenTenantLog } from '#db/tenant.ts';
import type { RequestFigures } from '#domain/request-log/log-rows.ts';

/** Days that a tenant keeps its rows and its texts. */
export interface KeptDays {
  readonly tenantId: number;
  readonly retentionDays: number;
  readonly bodyRetentionDays: number;
}

export interface IdRange {
  readonly first: string;
  /** Exclusive. */
  readonly end: string;
}

/** A request that is known by the id its client sent, and the time in which it was received. */
export interface AwaitedRequest {
  readonly tenantId: number;
  readonly clientRequestId: string;
  readonly since: Date;
  /** Exclusive. */
  readonly until: Date;
}

export interface FoundRequest extends RequestFigures {
  readonly id: string;
  readonly tenantId: number;
  readonly clientRequestId: string;
}

/** An instance that could not serve at some time. */
export interface FailedInstance {
  readonly llmProviderId: number;
  readonly tenantId: number;
  /** As PostgreSQL writes an instant. */
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
  /** ISO 8601. */
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
 * Request log of the installation: opens the log of a tenant, and does the work across tenants. The latter methods get
 * the connection or transaction of their caller, for a log in the same database and for names.
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
   * Returns those of the requests whose texts are in this object, according to their rows in both databases; `null` while rows may be
   * in one that this log does not know.
   */
  findPlaced(database: NodePgDatabase, object: string, ids: readonly string[]): Promise<string[] | null>;
  /** Returns those of the requests that have rows. */
  findExisting(database: NodePgDatabase, ids: readonly string[]): Promise<string[]>;
  /** Whether no row of the range is only in another database, where a move may find it later. */
  hasAllRows(database: NodePgDatabase, range: IdRange): Promise<boolean>;
  /** Finds requests by the ids that their clients sent. */
  findAwaited(database: NodePgDatabase, awaited: readonly AwaitedRequest[]): Promise<FoundRequest[]>;
  /** Returns those of the instances that have served a request since. */
  listRecovered<Failed extends FailedInstance>(
    database: NodePgDatabase,
    failed: readonly Failed[],
  ): Promise<Failed[]>;
  /** Returns the newest rows of all tenants in ascending order. */
  selectNewest(database: NodePgDatabase, filter: TailFilter, limit: number): Promise<TailRow[]>;
  /** Closes its connections, if it has any of its own. */
  readonly close: () => Promise<void>;
}
