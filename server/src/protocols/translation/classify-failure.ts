import { type ErrorCode, errorCodes } from '@sluice/contract';
import type { AnswerFailure } from '../canonical/response.ts';
import type { ErrorFacts } from '../protocol.ts';

/** Meaning of the HTTP statuses that providers repeat in the body of an error. */
const codesByStatus: Readonly<Record<string, ErrorCode>> = {
  400: 'provider_rejected',
  401: 'provider_auth_failed',
  402: 'provider_out_of_credit',
  403: 'provider_auth_failed',
  404: 'model_not_found',
  408: 'upstream_timeout',
  413: 'provider_rejected',
  422: 'provider_rejected',
  429: 'rate_limited',
  503: 'upstream_overloaded',
  504: 'upstream_timeout',
  529: 'upstream_overloaded',
};

/** Meaning of the codes and types of errors, without regard to case. */
const codesByWord: Readonly<Record<string, ErrorCode>> = {
  authentication_error: 'provider_auth_failed',
  billing_error: 'provider_out_of_credit',
  content_filter: 'provider_rejected',
  content_policy_violation: 'provider_rejected',
  context_length_exceeded: 'provider_rejected',
  deadline_exceeded: 'upstream_timeout',
  failed_precondition: 'provider_rejected',
  insufficient_quota: 'provider_out_of_credit',
  invalid_api_key: 'provider_auth_failed',
  invalid_argument: 'provider_rejected',
  invalid_prompt: 'provider_rejected',
  invalid_request_error: 'provider_rejected',
  model_not_found: 'model_not_found',
  not_found: 'model_not_found',
  not_found_error: 'model_not_found',
  overloaded_error: 'upstream_overloaded',
  permission_denied: 'provider_auth_failed',
  permission_error: 'provider_auth_failed',
  rate_limit_error: 'rate_limited',
  rate_limit_exceeded: 'rate_limited',
  request_too_large: 'provider_rejected',
  resource_exhausted: 'rate_limited',
  server_is_overloaded: 'upstream_overloaded',
  slow_down: 'upstream_overloaded',
  timeout: 'upstream_timeout',
  timeout_error: 'upstream_timeout',
  unauthenticated: 'provider_auth_failed',
  unavailable: 'upstream_overloaded',
};

/**
 * Maps an error inside a response with status 200 to a gateway error code. `words` are its code, type and status, most
 * specific first.
 */
export function classifyFailure(words: readonly unknown[]): ErrorCode {
  for (const word of words) {
    const key = String(word).toLowerCase();
    const table = Object.hasOwn(codesByStatus, key) ? codesByStatus : codesByWord;
    const code = Object.hasOwn(table, key) ? table[key] : undefined;
    if (code) return code;
  }
  return 'upstream_error';
}

/** Returns a failure as the encoders of errors expect it. */
export function toErrorFacts({ code, message, providerCode, param }: AnswerFailure): ErrorFacts {
  const { status } = errorCodes[code];
  return { code, message, status, providerCode: providerCode ?? null, param: param ?? null };
}
