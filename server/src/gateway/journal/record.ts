export interface AdmittedRecord<Admitted extends object> {
  kind: 'admitted';
  id: string;
  data: Admitted;
}
export interface SettledRecord<Settled extends object> {
  kind: 'settled';
  id: string;
  data: Settled;
}

/**
 * A request that was let in, or how it ended. `id` is the request's UUIDv7; an admitted record is written before its
 * settled one. `data` must survive JSON (no BigInt), and that of a settled record must not change after it was appended.
 */
export type JournalRecord<Admitted extends object, Settled extends object> =
  | AdmittedRecord<Admitted>
  | SettledRecord<Settled>;

/** What an operator should hear of. Nothing here stops the journal; `path` is the file or folder concerned. */
export interface JournalProblem {
  kind:
    | 'write-failed'
    | 'write-recovered'
    | 'segment-torn'
    | 'segment-damaged'
    | 'remove-failed'
    | 'ship-failed';
  path: string;
  error?: unknown;
}

export type OnProblem = (problem: JournalProblem) => void;

/** The journal holds as much as it may: the gate answers 503 until the database has taken some of it. */
export class JournalFullError extends Error {
  override readonly name = 'JournalFullError';
}
