import { GatewayError } from '#errors/gateway-error.ts';
import type { CompletionRequest } from '#protocols/canonical/request.ts';
import type { UpstreamClient } from '#upstream/client.ts';
import type { UpstreamResponse } from '#upstream/upstream-response.ts';
import type { Patience } from '../patience.ts';
import { describeProviderAnswer, describeUpstreamError, isWorthAnotherAttempt } from '../provider-failure.ts';
import type { Admitted } from './admit.ts';
import type { Attempt } from './plan.ts';

export interface Attempted extends Admitted {
  /** The attempt that succeeded. */
  readonly attempt: Attempt;
  readonly upstream: UpstreamResponse;
}

/** One whose answer is a completion. */
export type AttemptedCompletion = Attempted & { readonly completion: CompletionRequest };

export interface AttemptDeps {
  readonly upstream: UpstreamClient;
  readonly patience: Patience;
}

/** Stage 9: tries the planned attempts in order until a provider starts to answer. Never runs after the first byte. */
export async function attempt(exchange: Admitted, deps: AttemptDeps): Promise<Attempted> {
  const { record } = exchange;
  let failure: GatewayError | null = null;
  for (const candidate of exchange.attempts) {
    record.attempts++;
    record.llmProviderId = candidate.instance.id;
    record.providerKey = candidate.instance.providerKey;
    record.providerInstanceName = candidate.instance.name;
    record.model = candidate.model;
    const outcome = await tryOnce(exchange, candidate, deps);
    if (!(outcome instanceof GatewayError))
      return Object.assign(exchange, { attempt: candidate, upstream: outcome });
    failure = outcome;
    if (exchange.departure.aborted || !isWorthAnotherAttempt(failure)) break;
  }
  throw failure ?? new GatewayError('upstream_error', 'No provider could be tried.');
}

const streamTypes = { sse: 'text/event-stream', ndjson: 'application/x-ndjson' } as const;

async function tryOnce(
  exchange: Admitted,
  candidate: Attempt,
  { upstream: client, patience }: AttemptDeps,
): Promise<UpstreamResponse | GatewayError> {
  const { completion, record, departure } = exchange;
  const { instance, protocol, isBuiltIn } = candidate;
  try {
    const upstream = await client.send({
      url: candidate.url,
      method: 'POST',
      headers: {
        ...candidate.headers,
        'content-type': 'application/json',
        accept: completion.isStream ? streamTypes[protocol.provider.framing] : 'application/json',
        'user-agent': 'sluice',
        'x-client-request-id': record.id,
      },
      body: candidate.encodeBody(),
      signal: departure,
      timeouts: completion.isStream ? patience.streaming : patience.nonStreaming,
      trustedOrigin: isBuiltIn,
    });
    const isSuccess = upstream.status >= 200 && upstream.status < 300;
    if (!isSuccess) return await describeProviderAnswer(upstream, protocol.provider, instance.name);
    await upstream.body.begun();
    return upstream;
  } catch (error) {
    return describeUpstreamError(error, instance.name);
  }
}
