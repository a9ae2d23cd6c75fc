export interface TaskLimit {
  readonly assignmentId: number;
  /** Maximum tokens of one response; `null` if only the total is limited. */
  readonly answerTokensMax: number | null;
}
