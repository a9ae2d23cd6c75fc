/**
 * A request that was admitted, or how it ended. `id` is the request's UUIDv7; an admitted record is written before its
 * settled one. `data` must be representable in JSON (no BigInt); `texts` are stored separately, as UTF-8.
 */
export interface JournalRecord {
  readonly kind: 'admitted' | 'settled';
  readonly id: string;
  readonly data: object;
  readonly texts: Readonly<Record<string, string>>;
}

/** A problem to report to the operator. None stops the journal; `path` is the file or folder concerned. */
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

/** Thrown when the journal is full: the gateway returns 503 until the database has accepted some of it. */
export class JournalFullError extends Error {
  override readonly name = 'JournalFullError';
}
