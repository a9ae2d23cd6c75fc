import type { RequestProblem } from '../canonical/request.ts';

/** Thrown deep inside a codec when a request has no form on the other side; caught at its edge. */
export class UntranslatableError extends Error {
  override readonly name = 'UntranslatableError';
  readonly problem: RequestProblem;

  constructor(message: string, param: string | null) {
    super(message);
    this.problem = { code: 'invalid_request', message, param };
  }
}

/** What `translate` returns, or the problem that stopped it. */
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

/** A file that lies with another provider, which is the only one that knows its id. */
export function foreignFile(kind: string): UntranslatableError {
  return new UntranslatableError(
    `The provider of this model takes no ${kind} by a file's id; send it as base64 data.`,
    'messages',
  );
}
