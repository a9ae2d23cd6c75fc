import type { UsageFilters } from '../usage-filters.ts';
import type { ChosenRows, LogPage } from './chosen-rows.ts';
import type {
  BodyRow,
  DrilledRequests,
  FacetCount,
  InstanceLatency,
  LogRow,
  LogSums,
  OwnRow,
  PromptRow,
  ProviderSums,
  RecentRequest,
  RefusalCount,
  RequestFigures,
  ScoredLog,
  ServedLog,
} from './log-rows.ts';

/**
 * Days of a tenant's calendar, with the filters of a usage report. `from` (inclusive) and `end` (exclusive) are
 * instants.
 */
export interface RefusalRange extends UsageFilters {
  readonly timeZone: string;
  readonly firstDay: string;
  readonly lastDay: string;
  readonly from: string;
  readonly end: string;
}

/** Measures of budgets. Each measure determines the amount summed per request: nano-dollars, tokens or 1. */
export type ServedAmount = 'usd' | 'tokens' | 'requests' | 'parallel_requests';

export interface ServedFilter extends UsageFilters {
  readonly amount: ServedAmount;
  /** Whether to count requests rather than attempts at providers. */
  readonly countsRequests: boolean;
  readonly llmProviderId: number | null;
  readonly since: string | null;
  readonly days: number;
  /** Maximum number of requests. The oldest matching requests are read. */
  readonly limit: number;
}

/**
 * Request log of one tenant, within a transaction of this tenant. Rows are ordered by id, a UUIDv7. All methods reject
 * with a `LogStoreError` if the log is in another database that is unavailable, and with an error for which
 * `isTimeout` returns `true` after the time limit.
 */
export interface TenantLog {
  /** Limits the time of each subsequent query of the transaction, in milliseconds. */
  limitTime(timeoutMs: number): Promise<void>;
  /** Whether the error indicates that a query exceeded its time limit. */
  isTimeout(error: unknown): boolean;

  /** Returns the ids of a page of matching rows, newest first, and the number of matching rows up to `countMax`. */
  findPage(chosen: ChosenRows, page: LogPage): Promise<{ ids: string[]; total: number }>;
  /**
   * Newest first. Texts are truncated to `textMax` characters if specified. While object storage is unavailable, rows
   * whose texts are stored there have a `bodyPlace` and truncated texts.
   */
  selectRows(ids: readonly string[], textMax?: number): Promise<LogRow[]>;
  countRows(chosen: ChosenRows, countMax: number): Promise<number>;
  /** Counts facet values in the newest `rowsMax` matching rows, most frequent first. */
  countFacets(chosen: ChosenRows, rowsMax: number): Promise<FacetCount[]>;
  sumRows(chosen: ChosenRows, rowsMax: number): Promise<LogSums>;

  findBody(id: string): Promise<BodyRow | undefined>;
  /** Finds a request of this user by its id. */
  findOwnRow(id: string, userId: number): Promise<OwnRow | undefined>;
  /** Returns the figures of a request; `undefined` until its row is shipped. */
  findFigures(id: string): Promise<RequestFigures | undefined>;
  /** Finds the prompt and intent of a request. If `userId` is specified, only finds requests of this user. */
  findPrompt(id: string, userId?: number): Promise<PromptRow | undefined>;
  /** Passes the owners of requests to the database's audit functions, if these cannot look up the owners themselves. */
  noteOwners(listIds: () => Promise<readonly string[]>): Promise<void>;

  /** Returns a user's newest requests without texts. */
  selectRecent(userId: number, limit: number): Promise<RecentRequest[]>;
  /** Finds the newest request with a model response among the newest `rowsMax` requests. */
  findAnswered(rowsMax: number): Promise<{ readonly id: string; readonly receivedAt: Date } | null>;
  /** Counts rows older than an instant, up to `countMax`. */
  countOldRows(before: Date, countMax: number): Promise<number>;
  /** Counts rows with texts received between two instants, up to `countMax`. */
  countOldBodies(range: readonly [from: Date, before: Date], countMax: number): Promise<number>;

  /** Counts rejected requests by day and reason, most frequent first. A log row may represent several rejections. */
  countRefusals(range: RefusalRange): Promise<RefusalCount[]>;
  /**
   * Returns latencies per instance. Based on successful requests of the last 24 hours among the newest `rowsMax`
   * rows.
   */
  selectLatencies(rowsMax: number): Promise<InstanceLatency[]>;
  /** Sums requests of the last `days` days by provider, most expensive first. Rejected requests are excluded. */
  sumByProvider(days: number): Promise<ProviderSums[]>;
  /** Counts requests sent to an instance since an instant, up to `rowsMax`. */
  countDrilled(llmProviderId: number, since: Date, rowsMax: number): Promise<number>;
  /** Returns the newest `rowsMax` requests sent to an instance since an instant. */
  selectDrilled(llmProviderId: number, since: Date, rowsMax: number): Promise<DrilledRequests[]>;
  /** Yields requests of the last `days` days that changed a score, in order of admission. */
  readScored(days: number): AsyncIterable<ScoredLog>;
  /** Yields matching served requests in order of admission. */
  readServed(filter: ServedFilter): AsyncIterable<ServedLog>;
}
