import type { GatewayError } from '#errors/gateway-error.ts';
import type { RequestJournal } from '../request-journal.ts';
import { keepText } from '../request-record.ts';
import type { Received } from './receive.ts';

/** Refused by the gate itself before any provider was called. */
const refusals: ReadonlySet<string> = new Set([
  'invalid_json',
  'invalid_request',
  'duplicate_field',
  'account_blocked',
  'scope_missing',
  'model_not_found',
  'body_too_large',
  'unsupported_media_type',
  'request_timeout',
]);

/**
 * Stage 11, which always runs: says how the request ended and journals it. A request whose caller was never
 * recognised belongs to no tenant and leaves no row.
 */
export function settle(
  { departure, record, startedMs }: Received,
  failure: GatewayError | null,
  journal: RequestJournal,
): void {
  record.responseTimeMs = performance.now() - startedMs;
  if (failure) {
    record.status = record.attempts === 0 && refusals.has(failure.code) ? 'refused' : 'error';
    record.httpStatus = failure.status;
    record.errorCode = failure.code;
    record.errorMessage = keepText(failure.message);
  }
  if (departure.aborted && record.status !== 'success') {
    record.status = 'client_closed';
    record.httpStatus = 499;
  }
  if (record.tenantId !== null) journal.settle(record);
}
