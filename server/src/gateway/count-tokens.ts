import { z } from 'zod';
import { estimateRequestTokens } from '#domain/token-estimate.ts';
import { GatewayError } from '#errors/gateway-error.ts';
import { parseCountTokens } from '#protocols/anthropic-messages/request.ts';
import type { CompletionRequest, ParsedRequest } from '#protocols/canonical/request.ts';
import { protocols } from '#protocols/registry.ts';
import { findProvider } from '#providers/registry.ts';
import { describeProblem } from './encode-for-provider.ts';
import type { AttemptDeps } from './pipeline/attempt.ts';
import type { Authenticated } from './pipeline/authenticate.ts';
import { type Authorized, authorize } from './pipeline/authorize.ts';
import { describeProviderAnswer, describeUpstreamError, isWorthAnotherAttempt } from './provider-failure.ts';
import { addCallerHeaders, findAddress, listServices, signHeaders } from './provider-service.ts';
import { readBody } from './read-body.ts';
import { sendJson } from './send-json.ts';
import type { Snapshot } from './snapshot/snapshot.ts';
import { formatWarnings } from './warnings.ts';

export interface CountTokensDeps extends AttemptDeps {
  readonly snapshot: Snapshot;
  readonly sandboxOrigin: string | null;
  readonly bodyLimitBytes: number;
}

/** How a protocol asks for a count, and the field of the answer that holds it. */
interface TokenCount {
  parse(body: Buffer, model: string | null): ParsedRequest;
  readonly field: string;
}

const anthropicCount: TokenCount = { parse: parseCountTokens, field: 'input_tokens' };
const geminiCount: TokenCount = {
  parse: (body, model) => protocols.gemini.caller.parseRequest(body, { model, isStream: false }),
  field: 'totalTokens',
};

/** A provider's count is one small object. */
const countMaxBytes = 64 * 1024;

/**
 * How many tokens a message would take: as the provider of the model counts them where it does, else an upper
 * estimate, which a warning tells. Nothing is admitted or logged, since nothing is answered.
 */
export async function countTokens(exchange: Authenticated, deps: CountTokensDeps): Promise<void> {
  const body = await readBody(exchange.request, deps.bodyLimitBytes);
  const count = exchange.route.protocol.id === 'gemini' ? geminiCount : anthropicCount;
  const parsed = count.parse(body, exchange.parameter);
  if (!parsed.ok) throw describeProblem(parsed.problem);
  const authorized = authorize(Object.assign(exchange, { completion: parsed.request }), deps.snapshot);
  const counted = await askProvider(authorized, count.field, deps);
  if (counted) return sendJson(exchange.response, 200, counted);
  exchange.response.setHeader('x-sluice-warning', formatWarnings([`${count.field} is an estimate`]));
  sendJson(exchange.response, 200, Buffer.from(JSON.stringify({ [count.field]: estimate(parsed.request) })));
}

/** The count of the best instance's provider; `null` where it has none or cannot be asked at the moment. */
async function askProvider(
  exchange: Authorized,
  field: string,
  deps: CountTokensDeps,
): Promise<Buffer | null> {
  const [target] = exchange.targets;
  const provider = findProvider(target.instance.providerKey);
  if (!provider) return null;
  const [service] = listServices(provider, exchange.completion);
  const findPath = service?.tokenCountPath;
  if (findPath === undefined || service?.protocol !== exchange.completion.protocol) return null;
  const url = findAddress(target, provider, () => findPath(target.model), deps.sandboxOrigin);
  if (!url) return null;
  const headers = addCallerHeaders(signHeaders(target, provider), service, exchange.request.headers);
  const outcome = await send(exchange, { url, headers, isBuiltIn: provider.isBuiltIn ?? false }, deps);
  if (!(outcome instanceof GatewayError)) return holdsCount(outcome, field) ? outcome : null;
  if (isWorthAnotherAttempt(outcome)) return null;
  throw outcome;
}

async function send(
  { completion, departure, route, targets: [{ instance, model }] }: Authorized,
  { url, headers, isBuiltIn }: { url: URL; headers: Readonly<Record<string, string>>; isBuiltIn: boolean },
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
      trustedOrigin: isBuiltIn,
    });
    if (upstream.status === 200) return await upstream.body.collect(countMaxBytes);
    return await describeProviderAnswer(upstream, route.protocol.provider, instance.name);
  } catch (error) {
    return describeUpstreamError(error, instance.name);
  }
}

function holdsCount(body: Buffer, field: string): boolean {
  try {
    return z.looseObject({ [field]: z.number().int().min(0) }).safeParse(JSON.parse(body.toString())).success;
  } catch {
    return false;
  }
}

function estimate(completion: CompletionRequest): number {
  const decoded = completion.toCanonical();
  if (!decoded.ok) throw describeProblem(decoded.problem);
  return estimateRequestTokens(decoded.request);
}
