import { isDeepStrictEqual } from 'node:util';
import { type FieldProblem, type UnreadyReason, unreadyReasons } from '@sluice/contract';

/** Thrown for a rejected management request; returned as `{detail}` with this status. */
export class ConsoleError extends Error {
  override readonly name = 'ConsoleError';
  readonly status: number;
  readonly detail: string | FieldProblem[];
  readonly retryAfterSeconds: number | undefined;

  constructor(status: number, detail: string | FieldProblem[], retryAfterSeconds?: number) {
    super(typeof detail === 'string' ? detail : detail.map((problem) => problem.msg).join(', '));
    this.status = status;
    this.detail = detail;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** Thrown while the node accepts no requests; returned as `{detail, reason}`, with `failure` if known. */
export class UnreadyError extends ConsoleError {
  readonly reason: UnreadyReason;
  readonly failure: string | null;

  constructor(reason: UnreadyReason, failure: string | null = null) {
    super(503, unreadyReasons[reason], 1);
    this.reason = reason;
    this.failure = failure;
  }
}

/** Returns the same error for missing objects and those of another tenant, so that ids reveal nothing. */
export function notFound(noun: string): ConsoleError {
  return new ConsoleError(404, `${noun} not found`);
}

/** Reports a body field as invalid for a reason that only the database knows, such as a taken email. */
export function invalidField(field: string, problem: string): ConsoleError {
  return new ConsoleError(422, [{ loc: ['body', field], msg: problem, type: 'value_error' }]);
}

/**
 * Accepts fields that cannot change only with their current values, as in a row that is sent back as it was read.
 * @throws ConsoleError 422 for any other value, which would be ignored otherwise.
 */
export function requireUnchanged<Row extends object>(
  names: readonly (keyof Row & string)[],
  current: Row,
  body: { readonly [Name in keyof Row]?: unknown },
): void {
  const changed = names.find(
    (name) => body[name] !== undefined && !isDeepStrictEqual(body[name], current[name]),
  );
  if (changed !== undefined) throw invalidField(changed, 'This field cannot be changed');
}

/** Returns the error for requests that need the unavailable database; the caller's credentials may be valid. */
export function databaseAway(): ConsoleError {
  return new ConsoleError(503, 'The database cannot be reached at the moment. Please retry.', 1);
}
