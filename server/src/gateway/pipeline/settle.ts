import { errorCodes } from '@sluice/contract';
import type { GatewayError } from '#errors/gateway-error.ts';
import type { LeaseBook } from '../allowance/lease-book.ts';
import type { Held, Received } from '../exchange.ts';
import { chargeUsage } from '../metering/charge-usage.ts';
import type { RequestJournal } from '../request-log/request-journal.ts';
import { keepText } from '../request-record.ts';
import { findWithdrawal } from '../running-requests.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';

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
    record.status = 'hold' in exchange ? 'error' : errorCodes[failure.code].loggedAs;
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
