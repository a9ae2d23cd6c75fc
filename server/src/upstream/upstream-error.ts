import { errors } from 'undici';
import { BlockedAddressError } from './outbound-guard.ts';

/** Does not include the provider's own error responses. */
export type UpstreamErrorCode =
  | 'aborted'
  | 'blocked_address'
  | 'body_too_large'
  | 'certificate_refused'
  | 'connect_failed'
  | 'connect_timeout'
  | 'consumer_failed'
  | 'dns_failed'
  | 'first_byte_timeout'
  | 'frame_too_large'
  | 'idle_timeout'
  | 'invalid_request'
  | 'protocol_error'
  | 'redirect_refused'
  | 'reset'
  | 'total_timeout'
  | 'unsupported_encoding';

/** Whether a byte of the response body had arrived. Headers alone do not count, since a retry then loses nothing. */
export type UpstreamPhase = 'before_first_byte' | 'after_first_byte';

/**
 * Thrown for every failure of `UpstreamClient`, including failures while a body is read. `cause` is for logs, never
 * for callers.
 */
export class UpstreamError extends Error {
  override name = 'UpstreamError';
  readonly code: UpstreamErrorCode;
  readonly phase: UpstreamPhase;

  constructor(code: UpstreamErrorCode, phase: UpstreamPhase, cause?: unknown) {
    super(code, { cause });
    this.code = code;
    this.phase = phase;
  }
}

const unsentCodes: ReadonlySet<UpstreamErrorCode> = new Set([
  'aborted',
  'blocked_address',
  'certificate_refused',
  'connect_failed',
  'connect_timeout',
  'dns_failed',
  'invalid_request',
]);

/**
 * Returns whether the provider may have received the request, as far as the error shows. False for aborted calls, for
 * which only `onSent` shows whether sending had started.
 */
export function mayHaveBeenSent(error: unknown): boolean {
  return !(error instanceof UpstreamError) || !unsentCodes.has(error.code);
}

export interface Progress {
  isSent: boolean;
  phase: UpstreamPhase;
}

/** Maps errors of the socket, the DNS resolver and the HTTP parser. */
export function toUpstreamError(error: unknown, { isSent, phase }: Progress): UpstreamError {
  if (error instanceof UpstreamError) return error;
  return new UpstreamError(isSent ? findExchangeCode(error) : findConnectCode(error), phase, error);
}

function findConnectCode(error: unknown): UpstreamErrorCode {
  if (error instanceof BlockedAddressError) return 'blocked_address';
  const code = readSystemCode(error);
  if (/^(ERR_TLS_)?CERT_|^UNABLE_TO_|SELF_SIGNED|^HOSTNAME_MISMATCH/.test(code)) return 'certificate_refused';
  switch (code) {
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
    case 'EAI_FAIL':
    case 'EAI_NODATA':
      return 'dns_failed';
    case 'ETIMEDOUT':
    case 'UND_ERR_CONNECT_TIMEOUT':
      return 'connect_timeout';
    case 'ERR_INVALID_URL':
    case 'UND_ERR_INVALID_ARG':
      return 'invalid_request';
    case 'UND_ERR_CLOSED':
    case 'UND_ERR_DESTROYED':
      return 'aborted';
    default:
      return 'connect_failed';
  }
}

function findExchangeCode(error: unknown): UpstreamErrorCode {
  if (error instanceof errors.ClientDestroyedError) return 'aborted';
  if (error instanceof errors.HeadersOverflowError) return 'protocol_error';
  // The parser reports a truncated chunked body only through its message.
  if (error instanceof errors.HTTPParserError) return /EOF/.test(error.message) ? 'reset' : 'protocol_error';
  return 'reset';
}

/** Returns an empty string if the error has no code. */
export function readSystemCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}
