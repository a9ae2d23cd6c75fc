import { type FieldProblem, type UnreadyReason, unreadyReasons } from '@sluice/contract';

/** A refusal on the management surface; answered as `{detail}` with this status. */
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

/** The node takes no requests at the moment; answered as `{detail, reason}`, with `failure` where more is known. */
export class UnreadyError extends ConsoleError {
  readonly reason: UnreadyReason;
  readonly failure: string | null;

  constructor(reason: UnreadyReason, failure: string | null = null) {
    super(503, unreadyReasons[reason], 1);
    this.reason = reason;
    this.failure = failure;
  }
}

/** Missing and another tenant's are the same answer, so that ids tell nothing. */
export function notFound(noun: string): ConsoleError {
  return new ConsoleError(404, `${noun} not found`);
}

/** One field of the body is wrong for a reason only the database knows, such as a taken e-mail address. */
export function invalidField(field: string, problem: string): ConsoleError {
  return new ConsoleError(422, [{ loc: ['body', field], msg: problem, type: 'value_error' }]);
}

/** What needs the database has to wait for it; the caller's credentials may be good. */
export function databaseAway(): ConsoleError {
  return new ConsoleError(503, 'The database cannot be reached at the moment. Please retry.', 1);
}
