import { z } from 'zod';
import { estimateRequestTokens } from '#domain/token-estimate.ts';
import { GatewayError } from '#errors/gateway-error.ts';
import { encodeTokenCount, parseCountTokens } from '#protocols/anthropic-messages/request.ts';
import type { CompletionRequest } from '#protocols/canonical/request.ts';
import { protocols } from '#protocols/registry.ts';
import { findProvider } from '#providers/registry.ts';
import { describeProblem } from './encode-for-provider.ts';
import type { AttemptDeps } from './pipeline/attempt.ts';
import type { Authenticated } from './pipeline/authenticate.ts';
import { type Authorized, authorize } from './pipeline/authorize.ts';
import { describeProviderAnswer, describeUpstreamError, isWorthAnotherAttempt } from './provider-failure.ts';
import { readBody } from './read-body.ts';
import { sendJson } from './send-json.ts';
import { addCallerHeaders, findAddress } from './service-address.ts';
import type { Snapshot } from './snapshot/snapshot.ts';
import { formatWarnings } from './warnings.ts';

export interface CountTokensDeps extends AttemptDeps {
  readonly snapshot: Snapshot;
  readonly sandboxOrigin: string | null;
  readonly bodyLimitBytes: number;
}

/** A provider's count is one small object. */
const countMaxBytes = 64 * 1024;
const tokenCount = z.looseObject({ input_tokens: z.number().int().min(0) });

/**
 * How many tokens a message would take: as the provider of the model counts them where it does, else an upper
 * estimate, which a warning tells. Nothing is admitted or logged, since nothing is answered.
 */
export async function countTokens(exchange: Authenticated, deps: CountTokensDeps): Promise<void> {
  const parsed = parseCountTokens(await readBody(exchange.request, deps.bodyLimitBytes));
  if (!parsed.ok) throw describeProblem(parsed.problem);
  const authorized = authorize(Object.assign(exchange, { completion: parsed.request }), deps.snapshot);
  const counted = await askProvider(authorized, deps);
  if (counted) return sendJson(exchange.response, 200, counted);
  exchange.response.setHeader('x-sluice-warning', formatWarnings(['input_tokens is an estimate']));
  sendJson(exchange.response, 200, Buffer.from(JSON.stringify(encodeTokenCount(estimate(parsed.request)))));
}

/** The count of the best instance's provider; `null` where it has none or cannot be asked at the moment. */
async function askProvider(exchange: Authorized, deps: CountTokensDeps): Promise<Buffer | null> {
  const [target] = exchange.targets;
  const provider = findProvider(target.instance.providerKey);
  const path = provider?.tokenCountPath;
  if (!provider || path === undefined) return null;
  const url = findAddress(target, provider, () => path, deps.sandboxOrigin);
  if (!url) return null;
  const headers = addCallerHeaders(target.instance.headers, provider.chat, exchange.request.headers);
  const outcome = await send(exchange, { url, headers }, deps);
  if (!(outcome instanceof GatewayError)) return outcome;
  if (isWorthAnotherAttempt(outcome)) return null;
  throw outcome;
}

async function send(
  { completion, departure, targets: [{ instance, model }] }: Authorized,
  { url, headers }: { url: URL; headers: Readonly<Record<string, string>> },
  { upstream: client, patience }: AttemptDeps,
): Promise<Buffer | GatewayError> {
  try {
    const upstream = await client.send({
      url,
      method: 'POST',
      headers: {
        ...headers,
        'content-type': 'application/json',
        accept: 'application/json',
        'user-agent': 'sluice',
      },
      body: completion.encodeFor(model),
      signal: departure,
      timeouts: patience.nonStreaming,
    });
    if (upstream.status === 200) return readCount(await upstream.body.collect(countMaxBytes), instance.name);
    return await describeProviderAnswer(upstream, protocols['anthropic-messages'].provider, instance.name);
  } catch (error) {
    return describeUpstreamError(error, instance.name);
  }
}

function readCount(body: Buffer, instance: string): Buffer | GatewayError {
  try {
    tokenCount.parse(JSON.parse(body.toString()));
    return body;
  } catch {
    return new GatewayError('upstream_invalid_response', `The provider "${instance}" answered no count.`);
  }
}

function estimate(completion: CompletionRequest): number {
  const decoded = completion.toCanonical();
  if (!decoded.ok) throw describeProblem(decoded.problem);
  return estimateRequestTokens(decoded.request);
}
