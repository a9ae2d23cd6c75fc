import type { GatewayError } from '#errors/gateway-error.ts';
import type { LeaseBook } from '../allowance/lease-book.ts';
import type { Held, Received } from '../exchange.ts';
import { chargeUsage } from '../metering/charge-usage.ts';
import type { RequestJournal } from '../request-log/request-journal.ts';
import { keepText } from '../request-record.ts';
import { findWithdrawal } from '../running-requests.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';

/** Refused by the gate itself, where the request was not admitted: one that was has a row of its own. */
const refusals: ReadonlySet<string> = new Set([
  'invalid_json',
  'invalid_request',
  'duplicate_field',
  'account_blocked',
  'access_withdrawn',
  'scope_missing',
  'task_required',
  'task_not_found',
  'policy_blocked',
  'model_not_found',
  'model_blacklisted',
  'body_too_large',
  'unsupported_media_type',
  'request_timeout',
  'insufficient_credits',
  'tenant_suspended',
  'requests_per_hour_exceeded',
  'tokens_per_day_exceeded',
  'tokens_per_month_exceeded',
  'task_tokens_exceeded',
  'request_loop',
  'too_many_at_once',
  'body_budget_exceeded',
]);

export interface SettleDeps {
  readonly journal: RequestJournal;
  readonly snapshot: Snapshot;
  readonly leases: LeaseBook;
}

/**
 * Stage 12, which always runs: says how the request ended, gives back what it did not use of its limits, and journals
 * both. A request whose caller was never recognised belongs to no tenant and leaves no row.
 */
export function settle(exchange: Received | Held, failure: GatewayError | null, deps: SettleDeps): void {
  const { departure, keptBody, record, startedMs } = exchange;
  record.requestBody = keptBody;
  record.responseTimeMs = performance.now() - startedMs;
  if (failure) {
    record.status = !('hold' in exchange) && refusals.has(failure.code) ? 'refused' : 'error';
    record.httpStatus = failure.status;
    record.errorCode = failure.code;
    record.errorMessage = keepText(failure.message);
  }
  if (departure.aborted && record.status !== 'success' && !findWithdrawal(departure)) {
    record.status = 'client_closed';
    record.httpStatus = 499;
  }
  if ('hold' in exchange) release(exchange, deps);
  if (record.tenantId !== null) deps.journal.settle(record);
}

function release(exchange: Held, { leases, snapshot }: SettleDeps): void {
  const { hold, record } = exchange;
  chargeUsage(exchange, snapshot);
  leases.settle(hold, record.hold?.parts.map(({ used }) => used) ?? []);
}
