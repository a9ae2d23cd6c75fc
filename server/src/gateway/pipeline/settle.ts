import { errorCodes } from '@sluice/contract';
import { usedAmount } from '#domain/allowance/settlement.ts';
import type { GatewayError } from '#errors/gateway-error.ts';
import type { LeaseBook } from '../allowance/lease-book.ts';
import { type Charge, type Ended, type Ending, type Held, isHeld, unended } from '../exchange.ts';
import { isUsedAt } from '../metering/budget-limits.ts';
import { chargeUsage, sumUse } from '../metering/charge-usage.ts';
import { assembleEnded, noCharge } from '../request-log/assemble-record.ts';
import type { RequestJournal } from '../request-log/request-journal.ts';
import type { RequestRecord } from '../request-log/request-record.ts';
import { truncateForLog } from '../request-log/truncate-for-log.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';

/** Receives requests in addition to the journal. Must be fast and must not throw. */
export interface RequestObserver {
  onReceived(): void;
  /** Includes unauthenticated requests. */
  onEnded(record: RequestRecord, exchange: Ended): void;
}

export interface SettleDeps {
  readonly observer: RequestObserver;
  readonly journal: RequestJournal;
  readonly snapshot: Snapshot;
  readonly leases: LeaseBook;
}

/**
 * Stage 12, which always runs: determines how the request ended, releases unused amounts of its limits, and journals
 * the result. An unauthenticated request belongs to no tenant and has no row.
 */
export function settle(exchange: Ended, failure: GatewayError | null, deps: SettleDeps): void {
  const ending = readEnding(exchange, failure);
  let charge = noCharge;
  let used: readonly number[] = [];
  if (isHeld(exchange)) {
    charge = exchange.charge ?? chargeUsage(exchange, ending);
    used = listUsed(exchange, ending, charge, deps.snapshot);
    deps.leases.settle(exchange.hold, used);
  }
  const record = assembleEnded(exchange, ending, charge, used);
  if (exchange.principal) deps.journal.settle(record);
  deps.observer.onEnded(record, exchange);
}

function readEnding(exchange: Ended, failure: GatewayError | null): Ending {
  const { abort, answer, response } = exchange;
  const ending = failure ? readFailure(failure, isHeld(exchange), response) : (answer?.ending ?? unended);
  if (!abort.hasLeft || ending.status === 'success') return ending;
  return { ...ending, status: 'client_closed', httpStatus: 499 };
}

function readFailure(
  { code, message, status }: GatewayError,
  isAdmitted: boolean,
  { headersSent, statusCode }: Ended['response'],
): Ending {
  return {
    status: isAdmitted ? 'error' : errorCodes[code].loggedAs,
    httpStatus: headersSent ? statusCode : status,
    errorCode: code,
    errorMessage: truncateForLog(message),
  };
}

function listUsed(exchange: Ended & Held, ending: Ending, charge: Charge, snapshot: Snapshot): number[] {
  const { calls, firstTarget, hold } = exchange;
  const target = calls?.target ?? firstTarget;
  const { instance } = target;
  const isServed = calls?.isSent === true || ending.status === 'success';
  const use = sumUse(charge, isServed, instance.isServiceManaged);
  return hold.parts.map((part) =>
    isUsedAt(part, exchange, target, snapshot) ? usedAmount(part.lease.key.kind, use) : 0,
  );
}
