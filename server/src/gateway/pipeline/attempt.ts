import type { ErrorCode } from '@sluice/contract';
import { GatewayError } from '#errors/gateway-error.ts';
import { type Admitted, type Attempt, type Attempted, addResult, type Calls } from '../exchange.ts';
import { type CallDeps, callTarget, type SkippedTarget } from '../provider-call/call-target.ts';
import { findCallTimeouts, type ProviderTimeouts } from '../provider-call/provider-timeouts.ts';

export interface AttemptDeps extends CallDeps {
  readonly timeouts: ProviderTimeouts;
}

/**
 * Stage 10: tries the planned attempts in order until a provider starts to respond. Never runs after the first byte.
 * @throws GatewayError the most useful failure; `upstream_unavailable` or `provider_in_maintenance` if no provider
 * could be called
 */
export function attempt(exchange: Admitted, deps: AttemptDeps): Promise<Attempted> {
  const { affordable, completion, firstTarget } = exchange;
  const calls: Calls = { target: firstTarget, count: 0, isSent: false, workingSinceMs: null, made: none };
  addResult(exchange, 'attempt', { calls });
  deps.retryBudget.recordRequest();
  const totalMaxMs = findTotalMaxMs(affordable, deps.timeouts, completion.isStream);
  const attempts = { exchange, calls, deps, endsAtMs: performance.now() + totalMaxMs };
  return tryFrom(0, attempts, null, none);
}

interface Attempts {
  readonly exchange: Admitted;
  readonly calls: Calls;
  readonly deps: AttemptDeps;
  readonly endsAtMs: number;
}

/** `failure` and `skipped` are the results of earlier attempts. */
function tryFrom(
  index: number,
  attempts: Attempts,
  failure: GatewayError | null,
  skipped: readonly Skipped[],
): Promise<Attempted> {
  const { exchange, calls, deps, endsAtMs } = attempts;
  const { abort, affordable, completion } = exchange;
  const candidate = affordable[index];
  if (!candidate) throw failure ?? noneCallableError(skipped);
  const { retriesMax, retryWaitBeforeFallbackMs, retryWaitMs } = deps.timeouts;
  const timeouts = findCallTimeouts(candidate.instance, deps.timeouts, completion.isStream);
  const callsBefore = calls.count;
  const calling = callTarget(exchange, candidate, calls, deps, {
    timeouts,
    endsAtMs: Math.min(endsAtMs, performance.now() + timeouts.totalMs),
    retriesMax,
    waitMaxMs: index === affordable.length - 1 ? retryWaitMs : retryWaitBeforeFallbackMs,
  });
  return calling.then((outcome) => {
    if (calls.count > callsBefore || calls.count === 0) calls.target = candidate;
    if (outcome.kind === 'answered')
      return addResult(exchange, 'attempt', { calls, attempt: outcome.attempt, upstream: outcome.upstream });
    if (outcome.kind === 'skipped')
      return tryFrom(index + 1, attempts, failure, [
        ...skipped,
        { ...outcome, instance: candidate.instance.name },
      ]);
    const chosen = chooseFailure(failure, outcome.error);
    const isOver = abort.aborted || abort.hasLeft || performance.now() >= endsAtMs;
    if (isOver || !fallsBackAfter(outcome.error)) throw chosen;
    return tryFrom(index + 1, attempts, chosen, skipped);
  });
}

const none: readonly never[] = [];

const fallbackCodes: ReadonlySet<ErrorCode> = new Set([
  'rate_limited',
  'upstream_error',
  'upstream_invalid_response',
  'upstream_overloaded',
  'upstream_timeout',
  'provider_auth_failed',
  'provider_out_of_credit',
]);

/**
 * Whether the next instance is called after this error. A request rejected by the provider itself would also fail at
 * other instances, unless it was only too long for this model.
 */
export function fallsBackAfter({ code, providerCode }: GatewayError): boolean {
  return fallbackCodes.has(code) || providerCode === 'context_length_exceeded';
}

/**
 * All calls together may take as long as the longest timeout of an instance, so an instance with a shorter timeout
 * leaves time for a fallback.
 */
function findTotalMaxMs(attempts: readonly Attempt[], timeouts: ProviderTimeouts, isStream: boolean): number {
  return attempts.reduce(
    (most, { instance }) => Math.max(most, findCallTimeouts(instance, timeouts, isStream).totalMs),
    0,
  );
}

/** Returns the later failure, unless the earlier one is a 429, which states when to retry. */
function chooseFailure(earlier: GatewayError | null, later: GatewayError): GatewayError {
  return earlier?.code === 'rate_limited' && later.code !== 'rate_limited' ? earlier : later;
}

interface Skipped extends SkippedTarget {
  readonly instance: string;
}

/** Reports a cooldown rather than maintenance if any instance is in cooldown, since a cooldown ends automatically. */
function noneCallableError(skipped: readonly Skipped[]): GatewayError {
  const inCooldown = skipped.filter(({ maintenance }) => maintenance === null);
  if (inCooldown.length === 0) return maintenanceError(skipped);
  const retryAfterMs = findRetryAfterMs(inCooldown);
  const names = listNames(inCooldown);
  const failed =
    inCooldown.length === 1
      ? `The provider ${names} has failed too often and is`
      : `The providers ${names} have failed too often and are`;
  return new GatewayError(
    'upstream_unavailable',
    `${failed} in cooldown for ${Math.ceil(retryAfterMs / 1000)} s. Retry after that.`,
    { retryAfterMs },
  );
}

function maintenanceError(skipped: readonly Skipped[]): GatewayError {
  const reason = skipped.find(({ maintenance }) => maintenance?.reason)?.maintenance?.reason;
  const untilMs = Math.min(
    ...skipped.map(({ maintenance }) => maintenance?.untilMs ?? Number.POSITIVE_INFINITY),
  );
  const isEndKnown = Number.isFinite(untilMs);
  const end = isEndKnown ? ` until ${new Date(untilMs).toISOString()}` : '';
  return new GatewayError(
    'provider_in_maintenance',
    `An administrator has put the provider${skipped.length === 1 ? '' : 's'} ${listNames(skipped)} in maintenance${end}${reason ? ` (${reason})` : ''}, and no other provider offers you this model. Your request is valid: use another model, or retry ${isEndKnown ? 'after that' : 'later'}.`,
    { retryAfterMs: isEndKnown ? findRetryAfterMs(skipped) : undefined },
  );
}

function findRetryAfterMs(skipped: readonly Skipped[]): number {
  return Math.min(...skipped.map(({ retryAfterMs }) => retryAfterMs));
}

function listNames(skipped: readonly Skipped[]): string {
  return skipped.map(({ instance }) => `"${instance}"`).join(', ');
}
