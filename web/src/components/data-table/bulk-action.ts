/** Something that can be done to many rows, one call each. */
export interface BulkAction<Row> {
  name: string;
  run: (row: Row) => Promise<unknown>;
  isDangerous?: boolean;
  /** Asks before it begins. */
  confirm?: (rows: readonly Row[]) => Promise<boolean>;
  /** Called once it ended, to fetch the list anew. */
  onEnd?: () => void;
}
