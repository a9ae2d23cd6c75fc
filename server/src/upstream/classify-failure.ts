import {
  readSystemCode,
  type UpstreamError,
  type UpstreamErrorCode,
  type UpstreamPhase,
} from './upstream-error.ts';
import type { UpstreamHeaders } from './upstream-response.ts';

export interface UpstreamFailure {
  /** All kinds except `refused_here` and `aborted` are caused by the provider. */
  kind: 'connect' | 'timeout' | 'reset' | 'bad_response' | 'refused_here' | 'aborted';
  phase: UpstreamPhase;
  /**
   * Whether an immediate retry may succeed: the cause is transient and was detected quickly, and no byte of a body
   * was received.
   */
  isRetryable: boolean;
  /** Contains no secrets or query strings. */
  message: string;
}

type Cause = [kind: UpstreamFailure['kind'], isPassing: boolean, message: string];

const causes: Record<UpstreamErrorCode, Cause> = {
  aborted: ['aborted', false, 'The request was canceled'],
  blocked_address: ['refused_here', false, "This server is not allowed to call the provider's address"],
  body_too_large: ['bad_response', false, 'The response of the provider is too large'],
  certificate_refused: ['connect', false, "The provider's certificate is not trusted"],
  connect_failed: ['connect', true, 'The provider could not be reached'],
  connect_timeout: ['timeout', false, 'The provider could not be reached in time'],
  consumer_failed: ['aborted', false, 'The response could not be forwarded'],
  dns_failed: ['connect', true, "The provider's host name could not be resolved"],
  first_byte_timeout: ['timeout', false, 'The provider did not answer in time'],
  frame_too_large: ['bad_response', false, 'The provider sent a stream event that is too large'],
  idle_timeout: ['timeout', false, 'The provider stopped in the middle of its response'],
  invalid_request: ['refused_here', false, 'The request has a header or path that HTTP does not allow'],
  protocol_error: ['bad_response', false, 'The provider did not return a valid HTTP response'],
  redirect_refused: ['bad_response', false, 'The provider returned a redirect, which is not followed'],
  reset: ['reset', true, 'The provider closed the connection'],
  total_timeout: ['timeout', false, 'The provider took too long to complete its response'],
  unsupported_encoding: [
    'bad_response',
    false,
    'The provider compressed its response, which was not requested',
  ],
};

/** Classifies an error with which `UpstreamClient` rejects, or which it passes to a body consumer. */
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

/**
 * Whether an error may be transient. The list matches the providers' own client libraries. Some providers also use
 * 429 for an exhausted balance, which is only visible in the body.
 */
export function isPassingStatus(status: number, headers: UpstreamHeaders): boolean {
  const advice = headers['x-should-retry'];
  if (advice === 'true' || advice === 'false') return advice === 'true';
  return status === 408 || status === 409 || status === 425 || status === 429 || isProviderFault(status);
}

/** Whether the status indicates a problem of the provider itself, regardless of the request. */
export function isProviderFault(status: number): boolean {
  return status >= 500 && status !== 501 && status !== 505;
}
