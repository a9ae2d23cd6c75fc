/** A task's limits as far as they bind a request. */
export interface TaskLimit {
  readonly assignmentId: number;
  /** The most that one answer may take; `null` when only the whole counts. */
  readonly answerTokensMax: number | null;
}
