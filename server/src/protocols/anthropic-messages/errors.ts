import type { ErrorCode } from '@sluice/contract';
import { isObject } from '#json/json-value.ts';
import type { AnswerFailure } from '../canonical/response.ts';
import type { AnswerContext, ErrorFacts, ProviderError } from '../protocol.ts';
import { describeFailure } from '../translation/classify-failure.ts';
import { wordOverflow } from '../translation/context-overflow.ts';
import { findCommonCode, findMeaning } from '../translation/error-meanings.ts';
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
  response_budget_exceeded: 'overloaded_error',
  upstream_overloaded: 'overloaded_error',
  upstream_unavailable: 'overloaded_error',
  provider_in_maintenance: 'overloaded_error',
};

export function encodeError(
  { code, providerCode, status, tasks, ...words }: ErrorFacts,
  requestId: string,
): object {
  const type =
    findMeaning(providerCode)?.caller?.anthropic ??
    typesByCode[code] ??
    typesByStatus[status] ??
    (status >= 500 ? 'api_error' : 'invalid_request_error');
  const message = wordOverflow(words, 'anthropic');
  return { type: 'error', error: { type, message, ...(tasks && { tasks }) }, request_id: requestId };
}

export function encodeStreamError(
  error: ErrorFacts,
  { requestId }: Pick<AnswerContext, 'requestId'>,
): string {
  return `event: error\ndata: ${JSON.stringify(encodeError(error, requestId))}\n\n`;
}

/** Returns `null` if the body does not have Anthropic's format. */
export function readErrorMessage(body: string): ProviderError | null {
  try {
    return readProviderError(wire.providerError.parse(JSON.parse(body)).error);
  } catch {
    return null;
  }
}

function readProviderError({ message, type }: wire.ProviderError['error']): ProviderError {
  return { message, code: findCommonCode([type], message) ?? (type || null), param: null };
}

export function readFailure(value: unknown): AnswerFailure {
  const { data } = wire.providerError.safeParse({ error: value });
  const type = isObject(value) && 'type' in value ? value.type : null;
  return describeFailure(data ? readProviderError(data.error) : null, [type]);
}
