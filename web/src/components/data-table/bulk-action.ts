/** Something that can be done to many rows, one call each. */
export interface BulkAction<Row> {
  name: string;
  run: (row: Row) => Promise<unknown>;
  isDangerous?: boolean;
  /** Confirms the action; it does not start if this resolves to `false`. */
  confirm?: (rows: readonly Row[]) => Promise<boolean>;
  /** Called when the action has ended, to refetch the list. */
  onEnd?: () => void;
}
