import { readRetryAfterMs } from '#upstream/retry-after.ts';
import { scrubSecrets } from '#upstream/scrub-secrets.ts';
import {
  readSystemCode,
  type UpstreamError,
  type UpstreamErrorCode,
  type UpstreamPhase,
} from '#upstream/upstream-error.ts';
import type { UpstreamHeaders } from '#upstream/upstream-response.ts';

export interface UpstreamFailure {
  kind: 'connect' | 'timeout' | 'reset' | 'blocked_address' | 'http' | 'bad_response' | 'aborted';
  phase: UpstreamPhase;
  /** The same request may succeed if it is sent again: the cause passes and nothing of an answer was received. */
  isRetryable: boolean;
  status?: number;
  retryAfterMs?: number;
  /** Free of secrets and query strings; an HTTP failure's holds the start of the provider's answer. */
  message: string;
}

const EXCERPT_CHARS_MAX = 8 * 1024;

type Cause = [kind: UpstreamFailure['kind'], isPassing: boolean, message: string];

const causes: Record<UpstreamErrorCode, Cause> = {
  aborted: ['aborted', false, 'The request was given up'],
  blocked_address: ['blocked_address', false, "The provider's address is not one that this server may call"],
  body_too_large: ['bad_response', false, 'The provider sent more than is accepted'],
  certificate_refused: ['connect', false, "The provider's certificate is not trusted"],
  connect_failed: ['connect', true, 'The provider could not be reached'],
  connect_timeout: ['timeout', true, 'The provider could not be reached in time'],
  consumer_failed: ['aborted', false, 'The answer could not be passed on'],
  dns_failed: ['connect', true, "The provider's host name could not be resolved"],
  first_byte_timeout: ['timeout', true, 'The provider did not answer in time'],
  frame_too_large: ['bad_response', false, 'The provider sent an event without an end'],
  idle_timeout: ['timeout', true, 'The provider stopped in the middle of its answer'],
  invalid_request: ['connect', false, 'The request has a header or path that HTTP does not allow'],
  protocol_error: ['bad_response', false, 'The provider did not answer in HTTP'],
  redirect_refused: ['bad_response', false, 'The provider redirects, which is not followed'],
  reset: ['reset', true, 'The provider closed the connection'],
  total_timeout: ['timeout', false, 'The provider took too long'],
  unsupported_encoding: ['bad_response', false, 'The provider compressed its answer unasked'],
};

/** Classifies what `UpstreamClient` rejects or ends a body with. */
export function classifyError(error: UpstreamError): UpstreamFailure {
  const [kind, isPassing, message] = causes[error.code];
  const systemCode = readSystemCode(error.cause);
  return {
    kind,
    phase: error.phase,
    isRetryable: isPassing && error.phase === 'before_first_byte',
    message: systemCode === '' ? message : `${message} (${systemCode})`,
  };
}

/** Classifies an answer by its status; null for a success that has a body to read. */
export function classifyAnswer(
  answer: { status: number; headers: UpstreamHeaders; body?: Buffer },
  nowMs = Date.now(),
): UpstreamFailure | null {
  const { status, headers, body = Buffer.alloc(0) } = answer;
  const phase = 'before_first_byte';
  if (status === 204 || status === 205) {
    const message = `The provider answered ${status}, without a body`;
    return { kind: 'bad_response', phase, isRetryable: false, status, message };
  }
  if (status >= 200 && status < 300) return null;
  const excerpt = scrubExcerpt(body);
  return {
    kind: 'http',
    phase,
    isRetryable: isPassingStatus(status, headers, excerpt),
    status,
    retryAfterMs: readRetryAfterMs(headers, nowMs),
    message: `The provider answered ${status}${excerpt && `: ${excerpt}`}`,
  };
}

/** As the providers' own libraries see it. An exhausted balance is a 429 too, but waiting does not refill it. */
function isPassingStatus(status: number, headers: UpstreamHeaders, excerpt: string): boolean {
  const advice = headers['x-should-retry'];
  if (advice === 'true' || advice === 'false') return advice === 'true';
  if (status === 429) return !excerpt.includes('insufficient_quota');
  return (
    status === 408 || status === 409 || status === 425 || (status >= 500 && status !== 501 && status !== 505)
  );
}

/** Scrubs more than it keeps, so that no secret is cut in two and half of it left unrecognised. */
function scrubExcerpt(body: Buffer): string {
  const text = body.subarray(0, 2 * EXCERPT_CHARS_MAX).toString('utf8');
  return scrubSecrets(text).slice(0, EXCERPT_CHARS_MAX).trim();
}
