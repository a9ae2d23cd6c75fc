import { errorCodes } from '@sluice/contract';
import { usedOf } from '#domain/allowance/settlement.ts';
import type { GatewayError } from '#errors/gateway-error.ts';
import type { LeaseBook } from '../allowance/lease-book.ts';
import { type Charge, type Ended, type Ending, type Held, isHeld, unended } from '../exchange.ts';
import { chargeUsage, sumUse } from '../metering/charge-usage.ts';
import { assembleEnded, noCharge } from '../request-log/assemble-record.ts';
import type { RequestJournal } from '../request-log/request-journal.ts';
import { truncateForLog } from '../request-log/truncate-for-log.ts';
import { findRevocationError } from '../running-requests.ts';
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
export function settle(exchange: Ended, failure: GatewayError | null, deps: SettleDeps): void {
  const ending = readEnding(exchange, failure);
  let charge = noCharge;
  let used: readonly number[] = [];
  if (isHeld(exchange)) {
    charge = exchange.charge ?? chargeUsage(exchange, ending, deps.snapshot);
    used = listUsed(exchange, ending, charge);
    deps.leases.settle(exchange.hold, used);
  }
  if (exchange.principal) deps.journal.settle(assembleEnded(exchange, ending, charge, used));
}

/** A failure says how a request ended; without one its answer does; and without either, its caller has left. */
function readEnding(exchange: Ended, failure: GatewayError | null): Ending {
  const { answer, abortSignal } = exchange;
  const ending = failure ? readFailure(failure, isHeld(exchange)) : (answer?.ending ?? unended);
  const hasLeft = abortSignal.aborted && !findRevocationError(abortSignal);
  if (!hasLeft || ending.status === 'success') return ending;
  return { ...ending, status: 'client_closed', httpStatus: 499 };
}

function readFailure({ code, message, status }: GatewayError, isAdmitted: boolean): Ending {
  return {
    status: isAdmitted ? 'error' : errorCodes[code].loggedAs,
    httpStatus: status,
    errorCode: code,
    errorMessage: truncateForLog(message),
  };
}

/** What was used of each part of the hold. */
function listUsed({ calls, firstTarget, hold }: Ended & Held, ending: Ending, charge: Charge): number[] {
  const { instance } = calls?.target ?? firstTarget;
  const isServed = calls?.isSent === true || ending.status === 'success';
  const use = sumUse(charge, isServed, instance.isServiceManaged);
  return hold.parts.map(({ lease }) => usedOf(lease.key.kind, use));
}
