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

/** Days of a tenant's calendar and the filters of a usage report. `from` (inclusive) and `end` (exclusive) are instants. */
export interface RefusalRange extends UsageFilters {
  readonly timeZone: string;
  readonly firstDay: string;
  readonly lastDay: string;
  readonly from: string;
  readonly end: string;
}

/** Measures of budgets, each with the amount that is summed per request: nano-dollars, tokens, or 1. */
export type ServedAmount = 'usd' | 'tokens' | 'requests' | 'parallel_requests';

export interface ServedFilter extends UsageFilters {
  readonly amount: ServedAmount;
  /** Whether requests are counted, as opposed to attempts at providers. */
  readonly countsRequests: boolean;
  readonly llmProviderId: number | null;
  /** Requests received since this instant. */
  readonly since: string | null;
  /** Only requests of the last `days` days. */
  readonly days: number;
  /** Maximum number of requests; the oldest ones are read. */
  readonly limit: number;
}

/**
 * Request log of one tenant, within a transaction of that tenant. No method returns rows of other tenants.
 *
 * Rows are in the order of their ids, which are UUIDv7 and thus sorted by time. All methods reject with a
 * `LogStoreError` (`log-store-error.ts`) if the log is in another database that is unavailable, and with an error
 * that `isTimeout` recognizes after the time of `limitTime`.
 */
export interface TenantLog {
  /** Limits the time of each following query of this transaction, in milliseconds. */
  limitTime(timeoutMs: number): Promise<void>;
  /** Whether the error means that a query exceeded its time limit. */
  isTimeout(error: unknown): boolean;

  /** Returns the ids of a page of matching rows, newest first, and their number up to `countMax`. */
  findPage(chosen: ChosenRows, page: LogPage): Promise<{ ids: string[]; total: number }>;
  /**
   * Returns the rows of these ids, newest first, with texts truncated to `textMax` characters or in full. While
   * object storage is unavailable, rows whose texts are stored there have `bodyPlace` and truncated texts.
   */
  selectRows(ids: readonly string[], textMax?: number): Promise<LogRow[]>;
  /** Counts matching rows up to `countMax`. */
  countRows(chosen: ChosenRows, countMax: number): Promise<number>;
  /** Counts the values of the facets in the newest `rowsMax` matching rows, most frequent first. */
  countFacets(chosen: ChosenRows, rowsMax: number): Promise<FacetCount[]>;
  /** Sums the newest `rowsMax` matching rows. */
  sumRows(chosen: ChosenRows, rowsMax: number): Promise<LogSums>;

  findBody(id: string): Promise<BodyRow | undefined>;
  /** Finds a request of this user. */
  findOwnRow(id: string, userId: number): Promise<OwnRow | undefined>;
  /** Returns the figures of a request; `undefined` before its row is shipped. */
  findFigures(id: string): Promise<RequestFigures | undefined>;
  /** Finds a request's prompt and intent; if `userId` is given, only for a request of that user. */
  findPrompt(id: string, userId?: number): Promise<PromptRow | undefined>;
  /** Registers the owners of requests with the audit functions of the database, if it cannot look them up itself. */
  noteOwners(listIds: () => Promise<readonly string[]>): Promise<void>;

  /** Returns the newest requests of a user without their texts. */
  selectRecent(userId: number, limit: number): Promise<RecentRequest[]>;
  /** Finds the newest request with a model's response among the newest `rowsMax` requests. */
  findAnswered(rowsMax: number): Promise<{ readonly id: string; readonly receivedAt: Date } | null>;
  /** Counts rows older than an instant, up to a maximum. */
  countOldRows(before: Date, countMax: number): Promise<number>;
  /** Counts rows with texts that were received between two instants, up to a maximum. */
  countOldBodies(range: readonly [from: Date, before: Date], countMax: number): Promise<number>;

  /** Counts rejected requests by day and reason, most frequent first. A log row may represent several rejections. */
  countRefusals(range: RefusalRange): Promise<RefusalCount[]>;
  /** Returns latencies by instance from successful requests among the newest `rowsMax` of the last 24 hours. */
  selectLatencies(rowsMax: number): Promise<InstanceLatency[]>;
  /** Sums the requests of the last days by provider, most expensive first; rejected ones are excluded. */
  sumByProvider(days: number): Promise<ProviderSums[]>;
  /** Counts requests sent to an instance since an instant, up to `rowsMax`. */
  countDrilled(llmProviderId: number, since: Date, rowsMax: number): Promise<number>;
  /** Returns the newest `rowsMax` requests sent to an instance since an instant. */
  selectDrilled(llmProviderId: number, since: Date, rowsMax: number): Promise<DrilledRequests[]>;
  /** Yields the requests of the last days that changed a score, in order of admission. */
  readScored(days: number): AsyncIterable<ScoredLog>;
  /** Yields the served requests that match, in order of admission. */
  readServed(filter: ServedFilter): AsyncIterable<ServedLog>;
}
