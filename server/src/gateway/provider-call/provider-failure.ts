import type { ContextOverflow } from '@sluice/contract';
import { type ErrorCode, errorCodes } from '@sluice/contract';
import { findListedModel } from '#domain/price/catalogue.ts';
import { GatewayError } from '#errors/gateway-error.ts';
import type { ProtocolId } from '#protocols/canonical/content.ts';
import type { AnswerFailure } from '#protocols/canonical/response.ts';
import type { ProviderError } from '#protocols/protocol.ts';
import { readOverflow } from '#protocols/translation/context-overflow.ts';
import { type ErrorMeaning, errorMeanings, findMeaning } from '#protocols/translation/error-meanings.ts';
import type { CallOutcome } from '#upstream/circuit-breaker.ts';
import {
  classifyError,
  isPassingStatus,
  isProviderFault,
  type UpstreamFailure,
} from '#upstream/classify-failure.ts';
import { readRetryAfterMs } from '#upstream/retries.ts';
import { scrubSecrets } from '#upstream/scrub-secrets.ts';
import { readSystemCode, UpstreamError } from '#upstream/upstream-error.ts';
import type { UpstreamResponse } from '#upstream/upstream-response.ts';
import type { Attempt } from '../exchange.ts';
import { findFacts } from '../snapshot/model-facts.ts';

export interface ProviderFailure {
  /** Error for the caller if no later attempt succeeds. `retryAfterMs` is the provider's retry delay. */
  readonly error: GatewayError;
  /** Whether the same call may succeed if it is repeated soon. */
  readonly isRetryable: boolean;
  /** Outcome for the instance's circuit. A rejection of the request itself shows that the instance works. */
  readonly outcome: CallOutcome;
  /** `null` if the provider did not respond. */
  readonly httpStatus: number | null;
  /** Error code from the provider, or from the system for a connection failure. */
  readonly cause: string | null;
  readonly message: string;
}

const errorBodyMaxBytes = 64 * 1024;
const errorMessageMaxLength = 2_000;
/**
 * Minimum length of a masked key. Shorter keys are placeholders such as "none" or "ollama", for servers that need no
 * key.
 */
const knownKeyMinLength = 8;

/** Error codes for an invalid request that some servers send with status 500. */
const callerFaults: ReadonlySet<string> = new Set([
  'content_filter',
  'content_policy_violation',
  'invalid_argument',
  'invalid_prompt',
  'invalid_request',
  'invalid_request_error',
  'invalid_value',
  'missing_required_parameter',
  'request_too_large',
  'string_above_max_length',
  'unsupported_parameter',
  'unsupported_value',
]);

/**
 * Maps a provider's error response to a failure for the caller. A rejected provider key never becomes a 401, since
 * the caller's own key is valid.
 */
export async function readProviderFailure(
  upstream: UpstreamResponse,
  attempt: Attempt,
  promptTokens: number | null,
): Promise<ProviderFailure> {
  const { headers } = upstream;
  const body = await upstream.body.collect(errorBodyMaxBytes).catch(() => Buffer.alloc(0));
  const sent = attempt.protocol.provider.readErrorMessage(body.toString());
  const reported = sent && scrubError(sent, attempt);
  const meaning = findMeaning(reported?.code ?? null);
  const status = findStatus(upstream.status, meaning, attempt);
  const error = providerError(meaning?.code ?? findCodeByStatus(status), attempt, {
    message: `HTTP ${status}`,
    param: null,
    ...reported,
    code: reported?.code ?? null,
    status,
    retryAfterMs: readRetryAfterMs(headers, Date.now()) ?? reported?.retryAfterMs,
    promptTokens,
  });
  return {
    error,
    httpStatus: upstream.status,
    cause: reported?.code ?? null,
    message: reported?.message ?? error.message,
    isRetryable: status === upstream.status && isPassingStatus(status, headers),
    outcome: findOutcome(status, reported?.code ?? ''),
  };
}

/**
 * Returns the usual status for an error whose meaning is known, since some providers use another status. The
 * provider's status is kept if it has this meaning and the caller uses the provider's protocol, or the provider is
 * overloaded.
 */
function findStatus(
  status: number,
  meaning: ErrorMeaning | null,
  { isPassThrough }: Pick<Attempt, 'isPassThrough'>,
): number {
  if (!meaning) return status;
  const isOwn =
    meaning.code === findCodeByStatus(status) && (isPassThrough || meaning.code === 'upstream_overloaded');
  return isOwn ? status : meaning.status;
}

function findOutcome(status: number, providerCode: string): CallOutcome {
  if (!isProviderFault(status)) return 'success';
  return callerFaults.has(providerCode.toLowerCase()) ? 'unknown' : 'failure';
}

interface ReportedFailure extends ProviderError {
  readonly status: number;
  readonly retryAfterMs?: number | undefined;
  /** Gateway's estimate of the prompt tokens; `null` if unknown. */
  readonly promptTokens: number | null;
}

function providerError(code: ErrorCode, attempt: Attempt, reported: ReportedFailure): GatewayError {
  const { name } = attempt.instance;
  const { code: providerCode, message: words, param, retryAfterMs, status } = reported;
  switch (code) {
    case 'provider_auth_failed':
    case 'provider_out_of_credit':
      return new GatewayError(code, accountErrors[code](name));
    case 'rate_limited':
      return new GatewayError(code, `The provider "${name}" is rate limiting the gateway: ${words}`, {
        retryAfterMs,
        providerCode,
      });
    case 'upstream_overloaded':
      return new GatewayError(code, `The provider "${name}" is overloaded: ${words}`, {
        retryAfterMs,
        ...(findMeaning(providerCode) && { providerCode }),
      });
    case 'provider_rejected': {
      const overflow = findOverflow(attempt, reported);
      return new GatewayError(code, words, { status, param, providerCode, ...(overflow && { overflow }) });
    }
    default:
      return new GatewayError(code, `The provider "${name}" failed: ${words}`, { retryAfterMs });
  }
}

function findCodeByStatus(status: number): ErrorCode {
  if (status >= 500 || status < 400)
    return status === 503 || status === 529 ? 'upstream_overloaded' : 'upstream_error';
  return codesByStatus.get(status) ?? 'provider_rejected';
}

const codesByStatus: ReadonlyMap<number, ErrorCode> = new Map([
  [401, 'provider_auth_failed'],
  [402, 'provider_out_of_credit'],
  [403, 'provider_auth_failed'],
  [429, 'rate_limited'],
]);

/** Protocols whose clients act on the error code. Their callers get the provider's own message. */
const codeProtocols: ReadonlySet<ProtocolId> = new Set(['openai-chat', 'openai-responses']);

function findOverflow(
  { instance, isPassThrough, model, protocol }: Attempt,
  { code, message, promptTokens }: ReportedFailure,
): ContextOverflow | null {
  if (findMeaning(code) !== errorMeanings.contextOverflow) return null;
  if (isPassThrough && codeProtocols.has(protocol.id)) return null;
  const listed = findListedModel(instance.providerKey, model, Date.now())?.contextTokens ?? null;
  const maxTokens = findFacts(instance, model)?.context ?? listed;
  return readOverflow(message, { promptTokens, maxTokens });
}

/** Errors about the gateway's own provider account, whose details are not shown to callers. */
const accountErrors = {
  provider_auth_failed: (instance: string) =>
    `The provider "${instance}" refused the gateway's key. Your own key is valid. Ask your administrator to check the key of the provider.`,
  provider_out_of_credit: (instance: string) =>
    `The gateway's account at the provider "${instance}" has no credit. Ask your administrator.`,
} as const;

/** Maps an error inside a response with status 200, like `readProviderFailure`. */
export function answerFailureError(
  failure: AnswerFailure,
  attempt: Attempt,
  promptTokens: number,
): GatewayError {
  const { code, message, param = null, providerCode = null, retryAfterMs } = failure;
  const reported = scrubError({ message, code: providerCode, param }, attempt);
  if (breakdowns.has(code))
    return new GatewayError(
      code,
      `The provider "${attempt.instance.name}" interrupted its response: ${reported.message}`,
      { retryAfterMs },
    );
  const { status } = findMeaning(reported.code) ?? errorCodes[code];
  return providerError(code, attempt, { ...reported, status, retryAfterMs, promptTokens });
}

const breakdowns: ReadonlySet<ErrorCode> = new Set([
  'upstream_error',
  'upstream_invalid_response',
  'upstream_timeout',
]);

/**
 * Returns whether a caller that uses the provider's protocol may receive the provider's original error. False if the
 * error concerns the gateway's account or contains one of the instance's keys.
 */
export function mayPassFailure({ code }: AnswerFailure, bytes: Buffer, attempt: Attempt): boolean {
  if (Object.hasOwn(accountErrors, code)) return false;
  return !listKeys(attempt).some((key) => bytes.includes(key));
}

/** Includes the code and the parameter, which may reach the caller or the log. */
function scrubError(reported: ProviderError, attempt: Attempt): ProviderError {
  const scrub = (words: string | null) => words && scrubWords(words, attempt);
  return {
    ...reported,
    message: scrubWords(reported.message, attempt),
    code: scrub(reported.code),
    param: scrub(reported.param),
  };
}

/** Some providers repeat the instance's keys in errors. */
function scrubWords(words: string, attempt: Attempt): string {
  return scrubSecrets(words, listKeys(attempt)).slice(0, errorMessageMaxLength);
}

function listKeys({ signatures }: Attempt): string[] {
  return signatures
    .flatMap(({ headers }) => Object.entries(headers))
    .filter(([name]) => /authorization|key/.test(name))
    .map(([, value]) => value.replace(/^Bearer /, ''))
    .filter((key) => key.length >= knownKeyMinLength);
}

const codes: Record<UpstreamFailure['kind'], ErrorCode> = {
  aborted: 'upstream_error',
  bad_response: 'upstream_invalid_response',
  connect: 'upstream_error',
  refused_here: 'upstream_error',
  reset: 'upstream_error',
  timeout: 'upstream_timeout',
};

export function upstreamCallError(error: unknown, instance: string): GatewayError {
  return classifyFailedCall(error, instance).error;
}

export function classifyFailedCall(error: unknown, instance: string): ProviderFailure {
  if (!(error instanceof UpstreamError)) {
    const unknown = new GatewayError(
      'upstream_error',
      `The provider "${instance}" could not be called because of an unexpected error. Ask your administrator.`,
      {
        cause: error,
      },
    );
    const { message } = unknown;
    return {
      error: unknown,
      isRetryable: false,
      outcome: 'unknown',
      httpStatus: null,
      cause: 'unknown',
      message,
    };
  }
  const { kind, isRetryable, message } = classifyError(error);
  return {
    error: new GatewayError(codes[kind], `${message} (provider "${instance}").`, { cause: error }),
    isRetryable,
    httpStatus: null,
    cause: readSystemCode(error.cause) || error.code,
    message,
    outcome: kind === 'aborted' || kind === 'refused_here' ? 'unknown' : 'failure',
  };
}
