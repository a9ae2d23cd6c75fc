/** Row with its texts. Column names and types match ClickHouse's table, except that the id is a UUID. */
export type MovedRow = Readonly<Record<string, unknown>> & {
  readonly id: string;
  readonly tenant_id: number;
};

export interface DayRange {
  /** Days since 1970-01-01. */
  readonly day: number;
  readonly first: string;
  /** Exclusive upper bound. */
  readonly end: string;
}

export interface Batch {
  readonly rows: readonly MovedRow[];
  /** Position of the last row in the read order of the database; `null` if there are no rows. */
  readonly position: string | null;
}

/**
 * Counts and sums of one tenant's day by name, as decimal numbers. Both databases return the same values for the same
 * rows.
 */
export type TenantSums = Readonly<Record<string, string>>;

export interface DeletedUser {
  readonly tenantId: number;
  readonly userId: number;
}

export interface MoveSide {
  /** Creates partitions or other objects required by the day's rows. */
  prepareDay(range: DayRange): Promise<void>;
  /** Stops inserts of a previous run that are still running. */
  settle(): Promise<void>;
  /** Returns the number of rows per day. */
  countDays(): Promise<Map<number, number>>;
  readBatch(range: DayRange, position: string | null, rowsMax: number): Promise<Batch>;
  insertMissing(rows: readonly MovedRow[]): Promise<void>;
  /** Sums the rows of each tenant. If `rows` is given, only sums these rows. */
  sumTenants(range: DayRange, rows?: readonly MovedRow[]): Promise<Map<number, TenantSums>>;
  deleteTenants(range: DayRange, tenantIds: readonly number[]): Promise<void>;
  /** Returns the objects in object storage that contain texts of these users. */
  listObjects(range: DayRange, users: readonly DeletedUser[]): Promise<string[]>;
  deleteUsers(range: DayRange, users: readonly DeletedUser[]): Promise<void>;
  deleteRows(rows: readonly MovedRow[]): Promise<void>;
  /** Deletes a whole day in one step if the day has exactly this many rows. Returns whether the day was deleted. */
  dropDay(range: DayRange, rowCount: number): Promise<boolean>;
}
