import type { ErrorCode } from '@sluice/contract';
import { type AnswerFailure, describeFailure } from '../canonical/response.ts';
import { isObject } from '../json/json-value.ts';
import type { AnswerContext, ErrorFacts, ProviderError } from '../protocol.ts';
import { classifyFailure } from '../translation/classify-failure.ts';
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

export function encodeStreamError(
  error: ErrorFacts,
  { requestId }: Pick<AnswerContext, 'requestId'>,
): string {
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
    return readProviderError(wire.providerError.parse(JSON.parse(body)).error);
  } catch {
    return null;
  }
}

function readProviderError({ message, type }: wire.ProviderError['error']): ProviderError {
  const named = codesByMessage.find(([pattern]) => pattern.test(message))?.[1];
  return { message, code: named ?? codesByErrorType[type ?? ''] ?? (type || null), param: null };
}

/** Reads the error in a response with status 200. */
export function readFailure(value: unknown): AnswerFailure {
  const { data } = wire.providerError.safeParse({ error: value });
  const type = isObject(value) && 'type' in value ? value.type : null;
  if (!data)
    return { code: classifyFailure([type]), message: 'The provider reported an error inside its answer.' };
  const told = readProviderError(data.error);
  return describeFailure(classifyFailure([told.code, type]), told);
}
