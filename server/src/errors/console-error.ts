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

/** Thrown for a rejection that clients handle; returned as `{detail, code}` with further fields. */
export class CodedError extends ConsoleError {
  readonly fields: { readonly code: string };

  constructor(status: number, detail: string, fields: { readonly code: string }) {
    super(status, detail);
    this.fields = fields;
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

/** Bound in `stored_bounds` that a statement would exceed, as reported by the database. */
export interface ExceededBound {
  /** Plural, such as `teams`. */
  readonly noun: string;
  readonly kind: 'rows' | 'bytes' | 'row_bytes';
  readonly countedBy: readonly string[];
  readonly limit: number;
  readonly present: number;
  readonly requested: number;
  /** Active users of the tenant that the limit was computed from. */
  readonly users: number;
}

/** Thrown if a transaction would store more than a bound allows; the transaction is rolled back. */
export class StoredBoundError extends ConsoleError {
  readonly bound: ExceededBound;

  constructor(bound: ExceededBound) {
    super(422, formatBound(bound));
    this.bound = bound;
  }
}

function formatBound({ noun, kind, countedBy, limit, present, requested, users }: ExceededBound): string {
  const [most, now, more] = [limit, present, requested].map((amount) => amount.toLocaleString('en-US'));
  if (kind === 'row_bytes') {
    return `Storage limit reached for ${noun}: one entry can have at most ${most} bytes, and this one has ${more}. Shorten its texts and lists.`;
  }
  const isOfTenant = countedBy.length === 1 && countedBy[0] === 'tenant_id';
  const owner = isOfTenant ? ' per organization' : '';
  const scale =
    users > 0 ? ` with ${users.toLocaleString('en-US')} active ${users === 1 ? 'user' : 'users'}` : '';
  const unit = kind === 'bytes' ? ' bytes in total' : '';
  return `Storage limit reached for ${noun}: at most ${most}${unit}${owner}${scale}, ${now} are stored and this adds ${more}. Delete what is no longer needed, or ask the operator of this installation to raise the limit.`;
}
