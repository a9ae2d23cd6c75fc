export interface ReportRead {
  /**
   * Position of the caller's last change, which the replica must have replayed; `null` if there is no recent change.
   */
  readonly after: string | null;
  /** Called when the replica's data is several seconds old, with the time up to which it is complete. */
  readonly onStale: (at: Date) => void;
}
