import { findMaintenance, type Maintenance } from '#domain/resolve-model.ts';
import { GatewayError } from '#errors/gateway-error.ts';
import { type CircuitBreaker, circuitKey } from '#upstream/circuit-breaker.ts';
import type { UpstreamClient } from '#upstream/client.ts';
import { hopsHeader } from '#upstream/hops.ts';
import { findRetryDelayMs, type RetryBudget } from '#upstream/retries.ts';
import { mayHaveBeenSent, UpstreamError } from '#upstream/upstream-error.ts';
import type { UpstreamResponse, UpstreamTimeouts } from '#upstream/upstream-response.ts';
import type { Admitted, Attempt, Calls, ProviderCall } from '../exchange.ts';
import type { Signature } from '../snapshot/tables/llm-providers.ts';
import type { AbandonedCalls } from './abandoned-calls.ts';
import { classifyFailedCall, type ProviderFailure, readProviderFailure } from './provider-failure.ts';
import type { ProviderReports } from './provider-reports.ts';
import { trySignatures } from './try-signatures.ts';

const messageMaxLength = 300;
const causeMaxLength = 100;

export interface CallDeps {
  readonly upstream: UpstreamClient;
  readonly retryBudget: RetryBudget;
  readonly circuits: CircuitBreaker;
  readonly reports: Pick<ProviderReports, 'noteKeyRefusal'>;
  readonly abandoned: AbandonedCalls;
}

export interface CallLimits {
  readonly timeouts: UpstreamTimeouts;
  readonly endsAtMs: number;
  readonly retriesMax: number;
  /** Maximum wait before the same instance is called again. */
  readonly waitMaxMs: number;
}

export type TargetOutcome =
  | { readonly kind: 'answered'; readonly attempt: Attempt; readonly upstream: UpstreamResponse }
  | { readonly kind: 'failed'; readonly error: GatewayError }
  | SkippedTarget;

export interface SkippedTarget {
  readonly kind: 'skipped';
  readonly maintenance: Maintenance | null;
  /** Infinity if the end of the maintenance is not scheduled. */
  readonly retryAfterMs: number;
}

/**
 * Calls one model at one instance until the provider starts to respond. Transient failures are retried: few times,
 * with jitter, within the retry budget, and not while the circuit is open or during maintenance. If the provider
 * rejects a part that the gateway added, the request is repeated without it.
 */
export function callTarget(
  exchange: Admitted,
  target: Attempt,
  calls: Calls,
  deps: CallDeps,
  limits: CallLimits,
): Promise<TargetOutcome> {
  return callRepeatedly({ exchange, target, calls, deps, limits }, 0);
}

function callRepeatedly(call: Call, retries: number): Promise<TargetOutcome> {
  const { deps, exchange, target } = call;
  const { circuits, reports } = deps;
  const maintenance = findMaintenance(target.instance, Date.now());
  if (maintenance) return Promise.resolve(skipForMaintenance(maintenance));
  const circuit = circuitKey(target.instance.id, target.model);
  const { userId } = exchange.principal;
  const permit = circuits.enter(circuit, userId);
  if (typeof permit === 'number')
    return Promise.resolve({ kind: 'skipped', maintenance: null, retryAfterMs: permit });
  const calling = trySignatures(target, reports, isKeyRefused, (headers) => callOnce(call, headers));
  return calling.then((outcome) => {
    const isAnswered = 'body' in outcome;
    circuits.leave(circuit, userId, permit, isAnswered ? 'success' : outcome.outcome);
    if (!isAnswered) return repairOrRetry(call, outcome, retries);
    target.onAccepted?.();
    return { kind: 'answered', attempt: target, upstream: outcome };
  });
}

async function repairOrRetry(call: Call, failure: ProviderFailure, retries: number): Promise<TargetOutcome> {
  const { deps, exchange, limits, target } = call;
  const repaired = await repair(exchange, target, failure, limits);
  if (repaired instanceof GatewayError) return { kind: 'failed', error: repaired };
  if (repaired) return callRepeatedly({ ...call, target: repaired }, retries);
  const delayMs = failure.isRetryable ? findDelayMs(failure, retries, limits) : null;
  const isRepeated = delayMs !== null && deps.retryBudget.take() && (await waitFor(exchange, delayMs));
  if (!isRepeated) return { kind: 'failed', error: failure.error };
  return callRepeatedly(call, retries + 1);
}

async function repair(
  { outputCap: limitCap, likelyInputTokens: inputTokens }: Admitted,
  target: Attempt,
  { cause: code, error, httpStatus, message }: ProviderFailure,
  { endsAtMs }: CallLimits,
): Promise<Attempt | GatewayError | null> {
  if (!target.repair || performance.now() >= endsAtMs) return null;
  return target.repair({ code, httpStatus, message, param: error.param }, { limitCap, inputTokens });
}

function isKeyRefused(outcome: UpstreamResponse | ProviderFailure): boolean {
  return 'error' in outcome && outcome.error.code === 'provider_auth_failed';
}

function skipForMaintenance(maintenance: Maintenance): SkippedTarget {
  const { untilMs } = maintenance;
  const retryAfterMs = untilMs === null ? Number.POSITIVE_INFINITY : untilMs - Date.now();
  return { kind: 'skipped', maintenance, retryAfterMs };
}

const streamTypes = { sse: 'text/event-stream', ndjson: 'application/x-ndjson' } as const;

interface Call {
  readonly exchange: Admitted;
  readonly target: Attempt;
  readonly calls: Calls;
  readonly deps: CallDeps;
  readonly limits: CallLimits;
}

/**
 * Calls the provider once. The call is not recorded if the caller has disconnected before or the body cannot be
 * encoded.
 */
async function callOnce(
  call: Call,
  headers: Signature['headers'],
): Promise<UpstreamResponse | ProviderFailure> {
  const { calls, exchange, target } = call;
  const { abort, likelyInputTokens, outputCap, startedMs: receivedMs } = exchange;
  const { name } = target.instance;
  if (abort.aborted || abort.hasLeft)
    return classifyFailedCall(new UpstreamError('aborted', 'before_first_byte'), name);
  const startedMs = performance.now();
  const callsBefore = calls.count;
  let outcome: UpstreamResponse | ProviderFailure;
  try {
    const encoding = target.encodeBody(outputCap, likelyInputTokens);
    const body = encoding instanceof Promise ? await encoding : encoding;
    calls.count++;
    const upstream = await send(call, headers, body);
    if (upstream.status >= 200 && upstream.status < 300) {
      if (!upstream.body.hasBegun) await upstream.body.begun();
      outcome = upstream;
    } else {
      calls.workingSinceMs = null;
      outcome = await readProviderFailure(upstream, target, likelyInputTokens);
    }
  } catch (error) {
    calls.isSent ||= mayHaveBeenSent(error);
    // A call that this node aborted does not count as failed.
    if (!abort.aborted) calls.workingSinceMs = null;
    outcome = classifyFailedCall(error, name);
  }
  if (calls.count > callsBefore)
    calls.made = calls.made.concat(describeCall(target, outcome, startedMs, receivedMs));
  return outcome;
}

function send(
  { calls, deps: { abandoned, upstream }, exchange, limits: { endsAtMs, timeouts }, target }: Call,
  headers: Signature['headers'],
  body: Buffer,
): Promise<UpstreamResponse> {
  const { abort, completion, id, principal, request } = exchange;
  return upstream.send({
    url: target.url,
    method: 'POST',
    headers: {
      ...headers,
      'content-type': 'application/json',
      accept: completion.isStream ? streamTypes[target.protocol.provider.framing] : 'application/json',
      'user-agent': 'sluice',
      'x-client-request-id': id,
    },
    body,
    signal: abort,
    timeouts: calls.count === 1 ? timeouts : { ...timeouts, totalMs: endsAtMs - performance.now() },
    trustedOrigin: target.isBuiltIn,
    givenHops: request.headers[hopsHeader],
    onSent() {
      calls.isSent = true;
      calls.workingSinceMs = performance.now();
      abort.onLeft(() => calls.workingSinceMs !== null && abandoned.begin(abort, principal.userId));
    },
  });
}

function describeCall(
  { instance, model }: Attempt,
  outcome: UpstreamResponse | ProviderFailure,
  startedMs: number,
  receivedMs: number,
): ProviderCall {
  const failure = 'body' in outcome ? null : outcome;
  return {
    instanceId: instance.id,
    instanceName: instance.name,
    providerKey: instance.providerKey,
    model,
    startedMs: startedMs - receivedMs,
    durationMs: performance.now() - startedMs,
    httpStatus: 'body' in outcome ? outcome.status : outcome.httpStatus,
    errorCode: failure?.error.code ?? null,
    cause: failure?.cause?.slice(0, causeMaxLength) ?? null,
    message: failure?.message.slice(0, messageMaxLength) ?? null,
  };
}

function findDelayMs(
  { error }: ProviderFailure,
  retries: number,
  { endsAtMs, retriesMax, waitMaxMs }: CallLimits,
): number | null {
  const { retryAfterMs } = error;
  const delayMs = findRetryDelayMs({ retries, retriesMax, retryAfterMs, waitMaxMs, random: Math.random() });
  return delayMs !== null && performance.now() + delayMs < endsAtMs ? delayMs : null;
}

/** Returns `false` if the caller disconnects before or during the wait. */
async function waitFor({ abort }: Admitted, delayMs: number): Promise<boolean> {
  if (abort.aborted || abort.hasLeft) return false;
  const { promise, resolve } = Promise.withResolvers<void>();
  const listener = { handleEvent: resolve };
  const timer = setTimeout(resolve, delayMs);
  abort.addEventListener('abort', listener);
  await promise;
  abort.removeEventListener('abort', listener);
  clearTimeout(timer);
  return !abort.aborted;
}
