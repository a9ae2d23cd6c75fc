import type { NamedTask } from '@sluice/contract';
import type { AnswerFailure } from '../canonical/response.ts';
import type { AnswerContext, ErrorFacts, ProviderError } from '../protocol.ts';
import { describeFailure } from '../translation/classify-failure.ts';
import { wordOverflow } from '../translation/context-overflow.ts';
import { findCommonCode, findMeaning } from '../translation/error-meanings.ts';
import * as wire from './wire.ts';

const statusWords: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  402: 'FAILED_PRECONDITION',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  405: 'UNIMPLEMENTED',
  408: 'DEADLINE_EXCEEDED',
  409: 'ABORTED',
  429: 'RESOURCE_EXHAUSTED',
  501: 'UNIMPLEMENTED',
  502: 'UNAVAILABLE',
  503: 'UNAVAILABLE',
  504: 'DEADLINE_EXCEEDED',
  529: 'UNAVAILABLE',
};

/**
 * Encodes an error as `{"error": {code, message, status, details}}`. The details contain the error code and, if known,
 * the invalid field, the retry delay and the caller's tasks.
 */
export function encodeError(
  { code, providerCode, status, param, retryAfterMs, tasks = [], ...words }: ErrorFacts,
  requestId: string,
): object {
  const message = wordOverflow(words, 'google');
  const reason = (providerCode ?? code).toUpperCase();
  const info = { '@type': detailType('ErrorInfo'), reason, domain: 'sluice', metadata: { requestId } };
  const field = param === null ? [] : [{ field: param, description: message }];
  return {
    error: {
      code: status,
      message,
      status: findMeaning(providerCode)?.caller?.google ?? findStatusWord(status),
      details: [
        info,
        ...(retryAfterMs === undefined
          ? []
          : [{ '@type': detailType('RetryInfo'), retryDelay: `${retryAfterMs / 1000}s` }]),
        ...(field.length === 0 ? [] : [{ '@type': detailType('BadRequest'), fieldViolations: field }]),
        ...tasks.map(encodeResource),
      ],
    },
  };
}

function findStatusWord(status: number): string {
  return statusWords[status] ?? (status >= 500 ? 'INTERNAL' : 'INVALID_ARGUMENT');
}

function encodeResource({ id, title }: NamedTask): object {
  return {
    '@type': detailType('ResourceInfo'),
    resourceType: 'task',
    resourceName: String(id),
    description: title,
  };
}

function detailType(name: string): string {
  return `type.googleapis.com/google.rpc.${name}`;
}

export function encodeStreamError(
  error: ErrorFacts,
  { requestId }: Pick<AnswerContext, 'requestId'>,
): string {
  return `data: ${JSON.stringify(encodeError(error, requestId))}\n\n`;
}

/** Some bodies are a list with one error. */
export function readErrorMessage(body: string): ProviderError | null {
  try {
    const value: unknown = JSON.parse(body);
    return readProviderError(Array.isArray(value) ? value[0] : value);
  } catch {
    return null;
  }
}

/** Returns the error in a parsed body. @throws ZodError if the body has another format. */
function readProviderError(value: unknown): ProviderError {
  const error = wire.errorBody.parse(value).error;
  const details = error.details ?? [];
  const delay = details.find(({ retryDelay }) => retryDelay)?.retryDelay ?? '';
  const seconds = /^(\d+(?:\.\d+)?)s$/.exec(delay)?.[1];
  const param = details
    .flatMap(({ fieldViolations }) => fieldViolations ?? [])
    .find(({ field }) => field)?.field;
  return {
    message: error.message,
    code: findKnownCode(error) ?? error.status ?? (error.code == null ? null : String(error.code)),
    param: param ?? null,
    ...(seconds !== undefined && { retryAfterMs: Math.ceil(Number(seconds) * 1000) }),
  };
}

// An invalid key is reported with the status 400 and can only be identified by the reason.
function findKnownCode({ message, status, code, details = [] }: wire.WireError): string | null {
  const reasons = (details ?? []).map(({ reason }) =>
    reason?.startsWith('API_KEY_') ? 'invalid_api_key' : reason,
  );
  return findCommonCode([...reasons, status, code], message);
}

export function readFailure(value: unknown): AnswerFailure {
  const { data } = wire.error.safeParse(value);
  return data
    ? describeFailure(readProviderError({ error: data }), [data.status, data.code])
    : describeFailure(null);
}
