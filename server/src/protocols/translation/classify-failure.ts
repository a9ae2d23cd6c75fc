import { type ErrorCode, errorCodes } from '@sluice/contract';
import type { AnswerFailure } from '../canonical/response.ts';
import type { ErrorFacts, ProviderError } from '../protocol.ts';
import { findCommonCode, findMeaning } from './error-meanings.ts';

/** Codes, types and statuses of errors that the request itself caused and that have no common meaning. */
const rejections: ReadonlySet<string> = new Set([
  '400',
  '413',
  '422',
  'failed_precondition',
  'invalid_argument',
  'invalid_request_error',
  'request_too_large',
]);
const timeouts: ReadonlySet<string> = new Set([
  '408',
  '504',
  'deadline_exceeded',
  'timeout',
  'timeout_error',
]);

/**
 * `said` is `null` for an error without a message. `names` are the error's codes, types and statuses, most specific
 * first.
 */
export function describeFailure(said: ProviderError | null, names: readonly unknown[] = []): AnswerFailure {
  const { code = null, message = '', param = null, retryAfterMs } = said ?? {};
  const common = findCommonCode([code, ...names], message);
  const providerCode = common ?? code;
  return {
    code: findMeaning(common)?.code ?? classifyByName([code, ...names]),
    message: message || 'The provider reported an error in its response.',
    ...(providerCode !== null && { providerCode }),
    ...(param !== null && { param }),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  };
}

function classifyByName(names: readonly unknown[]): ErrorCode {
  for (const name of names) {
    const word = String(name).toLowerCase();
    if (rejections.has(word)) return 'provider_rejected';
    if (timeouts.has(word)) return 'upstream_timeout';
  }
  return 'upstream_error';
}

export function toErrorFacts(failure: AnswerFailure): ErrorFacts {
  const { code, message, overflow, param = null, providerCode = null, retryAfterMs } = failure;
  const { status = errorCodes[code].status } = failure;
  return { code, message, status, providerCode, param, retryAfterMs, overflow };
}
