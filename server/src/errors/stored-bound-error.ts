import { ConsoleError } from './console-error.ts';

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
    return `Bound reached for ${noun}: one entry can take at most ${most} bytes, and this one takes ${more}. Shorten its texts and lists.`;
  }
  const isOfTenant = countedBy.length === 1 && countedBy[0] === 'tenant_id';
  const owner = isOfTenant ? ' per organization' : '';
  const scale =
    users > 0 ? ` with ${users.toLocaleString('en-US')} active ${users === 1 ? 'user' : 'users'}` : '';
  const unit = kind === 'bytes' ? ' bytes in total' : '';
  return `Bound reached for ${noun}: at most ${most}${unit}${owner}${scale}, ${now} are stored and this adds ${more}. Delete what is no longer needed, or ask the operator of this installation to raise the bound.`;
}
