import type { ErrorKind } from '../models/catalogue.ts';

export interface Problem {
  kind:
    | ErrorKind
    | 'invalid'
    | 'too_large'
    | 'unknown_model'
    | 'unknown_path'
    | 'key_missing'
    | 'key_wrong'
    | 'defect';
  message: string;
  /** Path in the request body, for example `messages[0].content`. */
  param: string | null;
  /** OpenAI's error code. Other vendors have no code. */
  code: string | null;
}

/** Thrown for an invalid request. Converted to an error response in the vendor's format. */
export class RequestRefused extends Error {
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.message);
    this.problem = problem;
  }
}

export function refuse(kind: Problem['kind'], message: string): RequestRefused {
  return new RequestRefused({ kind, message, param: null, code: null });
}

export function invalidRequest(code: string | null, param: string | null, message: string): RequestRefused {
  return new RequestRefused({ kind: 'invalid', message, param, code });
}

const failures: Record<ErrorKind, string> = {
  rate_limited: 'Rate limit reached on tokens per min (TPM): Limit 1000, Used 1000. Try again in 7s.',
  internal_error: 'The sandbox failed on purpose while it worked on this request.',
  overloaded: 'The sandbox is overloaded on purpose. Try again later.',
  key_refused: 'Incorrect API key provided: this model rejects every key.',
};

export function problemOf(kind: ErrorKind): Problem {
  return { kind, message: failures[kind], param: null, code: null };
}
