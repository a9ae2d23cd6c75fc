import type { ErrorCode } from '@sluice/contract';
import type { ErrorFacts, ProviderError } from '../protocol.ts';
import * as wire from './wire.ts';

const typesByStatus: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  408: 'timeout_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  503: 'overloaded_error',
  504: 'timeout_error',
  529: 'overloaded_error',
};

/** Error types that Anthropic uses instead of the type that matches the status. */
const typesByCode: Readonly<Partial<Record<ErrorCode, string>>> = {
  upstream_overloaded: 'overloaded_error',
  upstream_unavailable: 'overloaded_error',
  provider_in_maintenance: 'overloaded_error',
};

/**
 * Encodes an error as `{"type": "error", "error": {type, message}, "request_id"}`. The type follows from code and
 * status, as Anthropic's clients expect.
 */
export function encodeError({ code, status, message, tasks }: ErrorFacts, requestId: string): object {
  const type =
    typesByCode[code] ?? typesByStatus[status] ?? (status >= 500 ? 'api_error' : 'invalid_request_error');
  return { type: 'error', error: { type, message, ...(tasks && { tasks }) }, request_id: requestId };
}

export function encodeStreamError(error: ErrorFacts, requestId: string): string {
  return `event: error\ndata: ${JSON.stringify(encodeError(error, requestId))}\n\n`;
}

/** Patterns in Anthropic's messages that map to the error codes shared by all protocols. */
const codesByMessage: readonly (readonly [pattern: RegExp, code: string])[] = [
  [/prompt is too long/i, 'context_length_exceeded'],
  [/credit balance is too low/i, 'insufficient_quota'],
];
const codesByErrorType: Readonly<Record<string, string>> = {
  authentication_error: 'invalid_api_key',
  billing_error: 'insufficient_quota',
};

/** Returns the error in a provider's error body, or `null` if it does not have Anthropic's format. */
export function readErrorMessage(body: string): ProviderError | null {
  try {
    const { error } = wire.providerError.parse(JSON.parse(body));
    const type = error.type ?? '';
    const named = codesByMessage.find(([pattern]) => pattern.test(error.message))?.[1];
    return { message: error.message, code: named ?? codesByErrorType[type] ?? (type || null), param: null };
  } catch {
    return null;
  }
}

const streamCodesByType: Readonly<Record<string, ErrorCode>> = {
  authentication_error: 'provider_auth_failed',
  permission_error: 'provider_auth_failed',
  billing_error: 'provider_out_of_credit',
  invalid_request_error: 'provider_rejected',
  request_too_large: 'provider_rejected',
  not_found_error: 'model_not_found',
  rate_limit_error: 'rate_limited',
  overloaded_error: 'upstream_overloaded',
  timeout_error: 'upstream_timeout',
};

/** Maps the type of an error event inside a stream to an error code. */
export function readStreamError(type: string | null | undefined): ErrorCode {
  return streamCodesByType[type ?? ''] ?? 'upstream_error';
}
