import type { WireError } from '../http/vendor.ts';
import type { Problem } from '../request/problem.ts';

const forms: Record<Problem['kind'], { status: number; message?: string }> = {
  invalid: { status: 400 },
  too_large: { status: 413 },
  unknown_model: { status: 404 },
  unknown_path: { status: 404 },
  key_missing: { status: 401, message: 'unauthorized' },
  key_wrong: { status: 401, message: 'unauthorized' },
  key_refused: { status: 401, message: 'unauthorized' },
  rate_limited: { status: 429 },
  internal_error: { status: 500 },
  overloaded: { status: 503, message: 'server busy, please try again. maximum pending requests exceeded' },
  defect: { status: 500 },
};

/** Encodes an error in Ollama's format, including errors inside a stream. */
export function encodeError(problem: Problem): WireError {
  return { status: forms[problem.kind].status, body: describeError(problem) };
}

export function describeError({ kind, param, message }: Problem): { error: string } {
  return { error: forms[kind].message ?? (param === null ? message : `${param}: ${message}`) };
}
