import type { ErrorCode } from '@sluice/contract';
import { GatewayError } from '#errors/gateway-error.ts';
import type { ProviderSide } from '#protocols/protocol.ts';
import { classifyError, type UpstreamFailure } from '#upstream/classify-failure.ts';
import { readRetryAfterMs } from '#upstream/retry-after.ts';
import { scrubSecrets } from '#upstream/scrub-secrets.ts';
import { UpstreamError } from '#upstream/upstream-error.ts';
import type { UpstreamResponse } from '#upstream/upstream-response.ts';

/** As much of a provider's error body as is read at all. */
const errorBodyMaxBytes = 64 * 1024;
const errorMessageMaxLength = 2_000;

/** What some providers answer with another status than the one it is at others. */
const misnamed: ReadonlyMap<string, number> = new Map([
  ['invalid_api_key', 401],
  ['insufficient_quota', 402],
]);

/** What a provider's refusal means for the caller, whose own key is fine (design, section 3, failures of a provider). */
export async function describeProviderAnswer(
  upstream: UpstreamResponse,
  provider: ProviderSide,
  instance: string,
): Promise<GatewayError> {
  const { status, headers } = upstream;
  const body = await upstream.body.collect(errorBodyMaxBytes).catch(() => Buffer.alloc(0));
  const said = provider.readErrorMessage(body.toString());
  const words = said ? scrubSecrets(said.message).slice(0, errorMessageMaxLength) : `HTTP ${status}`;
  const retryAfterMs = readRetryAfterMs(headers, Date.now()) ?? said?.retryAfterMs;
  switch (misnamed.get(said?.code ?? '') ?? status) {
    case 401:
    case 403:
      return new GatewayError(
        'provider_auth_failed',
        `The provider "${instance}" refused the gate's key. Your own key is fine; ask your administrator to check the provider's.`,
      );
    case 402:
      return new GatewayError(
        'provider_out_of_credit',
        `The gate's account at the provider "${instance}" has no credit. Ask your administrator.`,
      );
    case 429:
      return new GatewayError(
        'rate_limited',
        `The provider "${instance}" refuses more requests for now: ${words}`,
        { retryAfterMs, providerCode: said?.code ?? null },
      );
    case 503:
    case 529:
      return new GatewayError('upstream_overloaded', `The provider "${instance}" is overloaded: ${words}`, {
        retryAfterMs,
      });
  }
  if (status >= 500 || status < 400)
    return new GatewayError('upstream_error', `The provider "${instance}" failed: ${words}`);
  return new GatewayError('provider_rejected', words, {
    status,
    param: said?.param ?? null,
    providerCode: said?.code ?? null,
  });
}

const codes: Record<UpstreamFailure['kind'], ErrorCode> = {
  aborted: 'upstream_error',
  bad_response: 'upstream_invalid_response',
  blocked_address: 'upstream_error',
  connect: 'upstream_error',
  http: 'upstream_error',
  reset: 'upstream_error',
  timeout: 'upstream_timeout',
};

/** A failure on the way to a provider, in words for the caller. */
export function describeUpstreamError(error: unknown, instance: string): GatewayError {
  if (!(error instanceof UpstreamError)) {
    return new GatewayError('upstream_error', `The provider "${instance}" could not be called.`, {
      cause: error,
    });
  }
  const { kind, message } = classifyError(error);
  return new GatewayError(codes[kind], `${message} (provider "${instance}").`, { cause: error });
}

const worthAnother: ReadonlySet<ErrorCode> = new Set([
  'rate_limited',
  'upstream_error',
  'upstream_invalid_response',
  'upstream_overloaded',
  'upstream_timeout',
  'provider_auth_failed',
  'provider_out_of_credit',
]);

/** Whether another instance might do better; a request that the provider itself rejected would fail there too. */
export function isWorthAnotherAttempt(failure: GatewayError): boolean {
  return worthAnother.has(failure.code);
}
