import { errors as joseErrors } from 'jose';
import { AuthorizationResponseError, ClientError, ResponseBodyError } from 'openid-client';
import { classifyError } from '#upstream/classify-failure.ts';
import { UpstreamError } from '#upstream/upstream-error.ts';

/**
 * Kind of failure. `unreachable`: the provider sent no usable response. `refused`: the provider rejected the request.
 * `invalid`: the response cannot be trusted.
 */
export type OpenIdFailure = 'unreachable' | 'refused' | 'invalid';

/** Thrown for every failure of a provider. `message` is one sentence without secrets and without a final period. */
export class OpenIdError extends Error {
  override readonly name = 'OpenIdError';
  readonly kind: OpenIdFailure;

  constructor(kind: OpenIdFailure, message: string, cause?: unknown) {
    super(message, { cause });
    this.kind = kind;
  }
}

/** Matches OAuth error codes, which are words. Anything else is not displayed. */
const errorCode = /^[a-z_]{1,50}$/;

export function toOpenIdError(error: unknown): OpenIdError {
  if (error instanceof OpenIdError) return error;
  const upstream = findUpstreamError(error);
  if (upstream) return new OpenIdError('unreachable', classifyError(upstream).message, error);
  if (error instanceof AuthorizationResponseError || error instanceof ResponseBodyError) {
    const code = errorCode.test(error.error) ? error.error : 'unknown error';
    return new OpenIdError('refused', `The provider returned the error ${code}`, error);
  }
  if (error instanceof joseErrors.JWKSTimeout)
    return new OpenIdError('unreachable', 'The provider did not answer in time', error);
  if (error instanceof joseErrors.JOSEError) return new OpenIdError('invalid', describe(error), error);
  if (error instanceof ClientError) {
    const isAway = error.code === 'OAUTH_TIMEOUT' || error.code === 'OAUTH_RESPONSE_IS_NOT_CONFORM';
    return new OpenIdError(isAway ? 'unreachable' : 'invalid', describe(error), error);
  }
  // Libraries also throw other errors, such as a TypeError for a malformed key.
  return new OpenIdError('invalid', 'The response could not be processed', error);
}

function findUpstreamError(error: unknown): UpstreamError | null {
  for (let one = error, depth = 0; one instanceof Error && depth < 5; one = one.cause, depth++)
    if (one instanceof UpstreamError) return one;
  return null;
}

/** The messages name claims and headers but not the values. */
function describe(error: Error): string {
  const { cause } = error;
  const { message } = cause instanceof Error ? cause : error;
  return message.slice(0, 200);
}
