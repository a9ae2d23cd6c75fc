import { type AnswerFailure, describeFailure } from '../canonical/response.ts';
import type { AnswerContext, ErrorFacts, NamedTask, ProviderError } from '../protocol.ts';
import { classifyFailure } from '../translation/classify-failure.ts';
import * as wire from './wire.ts';

const words: Readonly<Record<number, string>> = {
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
 * the invalid field and the caller's tasks.
 */
export function encodeError(
  { code, providerCode, status, message, param, tasks = [] }: ErrorFacts,
  requestId: string,
): object {
  const reason = (providerCode ?? code).toUpperCase();
  const info = { '@type': detailType('ErrorInfo'), reason, domain: 'sluice', metadata: { requestId } };
  const field = param === null ? [] : [{ field: param, description: message }];
  return {
    error: {
      code: status,
      message,
      status: words[status] ?? (status >= 500 ? 'INTERNAL' : 'INVALID_ARGUMENT'),
      details: [
        info,
        ...(field.length === 0 ? [] : [{ '@type': detailType('BadRequest'), fieldViolations: field }]),
        ...tasks.map(encodeResource),
      ],
    },
  };
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

/**
 * Returns the error in a provider's error body, or `null` if it does not have Google's format. Some bodies are a list
 * with one error.
 */
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

/** Patterns in Google's messages that map to common error codes. For example, an invalid key has status 400. */
const knownWords: readonly (readonly [words: RegExp, code: string])[] = [
  [/exceeds the maximum number of tokens|input token count .* exceeds/i, 'context_length_exceeded'],
  [/^api key (not valid|expired|not found)/i, 'invalid_api_key'],
  [/prepayment credits are depleted|billing account .* (closed|disabled)/i, 'insufficient_quota'],
];

function findKnownCode({ message, status, details }: wire.WireError): string | null {
  if (details?.some(({ reason }) => reason?.startsWith('API_KEY_'))) return 'invalid_api_key';
  if (status === 'UNAUTHENTICATED') return 'invalid_api_key';
  return knownWords.find(([pattern]) => pattern.test(message))?.[1] ?? null;
}

/** Reads the error in a response with status 200. */
export function readFailure(value: unknown): AnswerFailure {
  const { data } = wire.error.safeParse(value);
  if (!data) return { code: 'upstream_error', message: 'The provider reported an error inside its answer.' };
  const told = readProviderError({ error: data });
  return describeFailure(classifyFailure([told.code, data.status, data.code]), told);
}
