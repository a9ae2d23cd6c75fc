import type { OAuthErrorCode } from '@sluice/contract';
import { ConsoleError } from './console-error.ts';

export class OAuthError extends ConsoleError {
  readonly code: OAuthErrorCode;

  constructor(code: OAuthErrorCode, description: string, status = 400) {
    super(status, description);
    this.code = code;
  }
}

export function toOAuthError(error: ConsoleError): OAuthError {
  if (error instanceof OAuthError) return error;
  const { message, retryAfterSeconds } = error;
  const converted = new OAuthError(...convert(error.status));
  return retryAfterSeconds === undefined ? converted : Object.assign(converted, { retryAfterSeconds });

  function convert(status: number): [code: OAuthErrorCode, description: string, status: number] {
    // `slow_down` makes clients poll less often (RFC 8628, 3.5).
    if (status === 429) return ['slow_down', message, status];
    if (status === 503) return ['temporarily_unavailable', message, status];
    if (status >= 500) return ['server_error', message, status];
    // A malformed request is a 400 (RFC 6749, 5.2).
    return ['invalid_request', message, status === 422 || status === 415 ? 400 : status];
  }
}
