/** A row with its texts; columns have the names and types of ClickHouse's table, except that the id is a UUID. */
export type MovedRow = Readonly<Record<string, unknown>> & {
  readonly id: string;
  readonly tenant_id: number;
};

/** Range of the ids of one UTC day. */
export interface DayRange {
  /** Days since 1970. */
  readonly day: number;
  readonly first: string;
  /** Exclusive. */
  readonly end: string;
}

export interface Batch {
  readonly rows: readonly MovedRow[];
  /** Position of the last row in the order of this database; `null` if there are no rows. */
  readonly position: string | null;
}

/** Counts and sums of one tenant's day as decimal numbers, by name; the same in both databases for the same rows. */
export type TenantSums = Readonly<Record<string, string>>;

export interface DeletedUser {
  readonly tenantId: number;
  readonly userId: number;
}

/** One of the two databases of a move. */
export interface MoveSide {
  /** Creates what the day's rows require, such as partitions. */
  prepareDay(range: DayRange): Promise<void>;
  /** Stops inserts of a previous run that are still running. */
  settle(): Promise<void>;
  /** Returns the number of rows by day. */
  countDays(): Promise<Map<number, number>>;
  /** Reads the rows after a position. */
  readBatch(range: DayRange, position: string | null, rowsMax: number): Promise<Batch>;
  /** Inserts the rows that do not exist yet. */
  insertMissing(rows: readonly MovedRow[]): Promise<void>;
  /** Sums the rows of each tenant; if `rows` is given, only these. */
  sumTenants(range: DayRange, rows?: readonly MovedRow[]): Promise<Map<number, TenantSums>>;
  deleteTenants(range: DayRange, tenantIds: readonly number[]): Promise<void>;
  /** Returns the objects in object storage with texts of these users. */
  listObjects(range: DayRange, users: readonly DeletedUser[]): Promise<string[]>;
  deleteUsers(range: DayRange, users: readonly DeletedUser[]): Promise<void>;
  /** Deletes these rows and returns how many of them existed. */
  deleteRows(rows: readonly MovedRow[]): Promise<void>;
  /** Deletes a whole day in one step if it has exactly this many rows; returns whether it did. */
  dropDay(range: DayRange, rowCount: number): Promise<boolean>;
}
