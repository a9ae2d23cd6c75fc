import type { UpstreamResponse } from '#upstream/upstream-response.ts';
import type { Attempt, Calls, Received } from '../exchange.ts';
import type { ProviderFailure } from './provider-failure.ts';

/** Maximum length of a provider's error message in a row. */
const messageMaxLength = 300;
const causeMaxLength = 100;

/** Makes one call and records its duration and outcome; a call that was never sent is not recorded. */
export async function recordCall<Outcome extends UpstreamResponse | ProviderFailure>(
  { startedMs: receivedMs }: Pick<Received, 'startedMs'>,
  { instance, model }: Attempt,
  calls: Calls,
  call: () => Promise<Outcome>,
): Promise<Outcome> {
  const startedMs = performance.now();
  const callsBefore = calls.count;
  const outcome = await call();
  if (calls.count === callsBefore) return outcome;
  calls.made.push({
    instanceId: instance.id,
    instanceName: instance.name,
    providerKey: instance.providerKey,
    model,
    startedMs: startedMs - receivedMs,
    durationMs: performance.now() - startedMs,
    ...readOutcome(outcome),
  });
  return outcome;
}

function readOutcome(outcome: UpstreamResponse | ProviderFailure) {
  if ('body' in outcome)
    return { httpStatus: outcome.status, errorCode: null, cause: null, message: null } as const;
  const { httpStatus, error, cause, message } = outcome;
  return {
    httpStatus,
    errorCode: error.code,
    cause: cause?.slice(0, causeMaxLength) ?? null,
    message: message.slice(0, messageMaxLength),
  };
}
