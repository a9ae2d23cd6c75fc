import type { RequestProblem } from '../canonical/request.ts';

/**
 * Thrown deep inside a codec when a request cannot be represented in the other protocol; caught at its entry points.
 */
export class UntranslatableError extends Error {
  override readonly name = 'UntranslatableError';
  readonly problem: RequestProblem;

  constructor(message: string, param: string | null) {
    super(message);
    this.problem = { code: 'invalid_request', message, param };
  }
}

/** Returns the result of `translate`, or the problem that it threw. */
export function orProblem<Result>(
  translate: () => Result,
): Result | { readonly ok: false; readonly problem: RequestProblem } {
  try {
    return translate();
  } catch (error) {
    if (error instanceof UntranslatableError) return { ok: false, problem: error.problem };
    throw error;
  }
}

/** Creates the error for a file stored at another provider, the only one that knows its id. */
export function foreignFile(kind: string): UntranslatableError {
  return new UntranslatableError(
    `The provider of this model takes no ${kind} by a file's id; send it as base64 data.`,
    'messages',
  );
}
