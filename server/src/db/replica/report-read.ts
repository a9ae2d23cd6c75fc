/** Options for reading the reports of a transaction from a replica. */
export interface ReportRead {
  /**
   * Position of the caller's last change, which the replica must have replayed; `null` if there is no recent change.
   */
  readonly after: string | null;
  /** Called if the replica has all changes only up to several seconds ago. */
  readonly onStale: (at: Date) => void;
}
