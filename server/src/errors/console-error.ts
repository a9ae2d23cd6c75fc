import { isDeepStrictEqual } from 'node:util';
import { type FieldProblem, type UnreadyReason, unreadyReasons } from '@sluice/contract';

/** Thrown for a rejected management request. The response body is `{detail}`. */
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

export class CodedError extends ConsoleError {
  readonly fields: { readonly code: string };

  constructor(status: number, detail: string, fields: { readonly code: string }) {
    super(status, detail);
    this.fields = fields;
  }
}

/** Thrown while the node accepts no requests. The response body is `{detail, reason}`, with `failure` if known. */
export class UnreadyError extends ConsoleError {
  readonly reason: UnreadyReason;
  readonly failure: string | null;

  constructor(reason: UnreadyReason, failure: string | null = null) {
    super(503, unreadyReasons[reason], 1);
    this.reason = reason;
    this.failure = failure;
  }
}

/** Returns the same error for missing objects and for objects of another tenant, so that ids reveal nothing. */
export function notFound(noun: string): ConsoleError {
  return new ConsoleError(404, `${noun} not found`);
}

/**
 * Returns the error for a body field that is invalid because of data in the database, such as an email address in
 * use.
 */
export function invalidField(field: string, problem: string): ConsoleError {
  return new ConsoleError(422, [{ loc: ['body', field], msg: problem, type: 'value_error' }]);
}

/**
 * Accepts read-only fields only with their current values, so that a client can send back an object as it was
 * returned.
 * @throws ConsoleError 422 for any other value, which would otherwise be ignored
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

/** Returns the error for requests that require the unavailable database. The caller's credentials may be valid. */
export function databaseAway(): ConsoleError {
  return new ConsoleError(503, 'The database cannot be reached at the moment. Please retry.', 1);
}

/** Bound of `stored_bounds` that a statement would exceed, as reported by the database. */
export interface ExceededBound {
  /** Plural noun of the stored objects, such as `teams`. */
  readonly noun: string;
  readonly kind: 'rows' | 'bytes' | 'row_bytes';
  readonly countedBy: readonly string[];
  readonly limit: number;
  readonly present: number;
  readonly requested: number;
  /** Number of active users of the tenant, from which the limit was computed. */
  readonly users: number;
}

/** Thrown if a transaction would exceed a storage limit. The transaction is rolled back. */
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
