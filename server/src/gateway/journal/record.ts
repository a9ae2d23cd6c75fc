/**
 * A request that was let in, or how it ended. `id` is the request's UUIDv7; an admitted record is written before its
 * settled one. `data` must survive JSON (no BigInt); `texts` are kept beside it as they are, in UTF-8.
 */
export interface JournalRecord {
  readonly kind: 'admitted' | 'settled';
  readonly id: string;
  readonly data: object;
  readonly texts: Readonly<Record<string, string>>;
}

/** What an operator should hear of. Nothing here stops the journal; `path` is the file or folder concerned. */
export interface JournalProblem {
  kind:
    | 'write-failed'
    | 'write-recovered'
    | 'settlements-lost'
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
