/** How the reports of a transaction may be read from a replica. */
export interface ReportRead {
  /** Position of the caller's last change, which the replica must have replayed; `null` without a recent change. */
  readonly after: string | null;
  /** Called if the replica has all changes only up to some seconds ago. */
  readonly onStale: (at: Date) => void;
}
