import { GatewayError } from '#errors/gateway-error.ts';
import { type Admitted, type Attempt, type Attempted, addResult, type Calls } from '../exchange.ts';
import { type CallDeps, callTarget, type SkippedTarget } from '../provider-call/call-target.ts';
import { isWorthAnotherAttempt } from '../provider-call/provider-failure.ts';
import { findCallTimeouts, type ProviderTimeouts } from '../provider-call/provider-timeouts.ts';

export interface AttemptDeps extends CallDeps {
  readonly timeouts: ProviderTimeouts;
}

/**
 * Stage 10: tries the planned attempts in order until a provider starts to respond. Never runs after the first byte.
 * @throws GatewayError the most useful failure; `upstream_unavailable` or `provider_in_maintenance` if none could be
 * called
 */
export async function attempt(exchange: Admitted, deps: AttemptDeps): Promise<Attempted> {
  const { abort, affordable: attempts, completion } = exchange;
  const calls: Calls = {
    target: exchange.firstTarget,
    count: 0,
    isSent: false,
    workingSinceMs: null,
    made: none,
  };
  const calling = addResult(exchange, 'attempt', { calls });
  const { timeouts } = deps;
  const { retriesMax } = timeouts;
  const endsAtMs = performance.now() + findTotalMaxMs(attempts, timeouts, completion.isStream);
  let failure: GatewayError | null = null;
  const skipped: Skipped[] = [];
  deps.retryBudget.recordRequest();
  for (const candidate of attempts) {
    const isLast = candidate === attempts.at(-1);
    const waitMaxMs = isLast ? timeouts.retryWaitMs : timeouts.retryWaitBeforeFallbackMs;
    const callsBefore = calls.count;
    const callTimeouts = findCallTimeouts(candidate.instance, timeouts, completion.isStream);
    const outcome = await callTarget(exchange, candidate, calls, deps, {
      timeouts: callTimeouts,
      endsAtMs: Math.min(endsAtMs, performance.now() + callTimeouts.totalMs),
      retriesMax,
      waitMaxMs,
    });
    if (calls.count > callsBefore || calls.count === 0) calls.target = candidate;
    if (outcome.kind === 'answered')
      return addResult(calling, 'attempt', { attempt: outcome.attempt, upstream: outcome.upstream });
    if (outcome.kind === 'skipped') {
      skipped.push({ ...outcome, instance: candidate.instance.name });
      continue;
    }
    failure = chooseFailure(failure, outcome.error);
    const isOver = abort.aborted || abort.hasLeft || performance.now() >= endsAtMs;
    if (isOver || !isWorthAnotherAttempt(outcome.error)) break;
  }
  throw failure ?? noneCallableError(skipped);
}

const none: readonly never[] = [];

/** The first instance may get a shorter timeout, so that another one can be called in the remaining time. */
function findTotalMaxMs(
  attempts: readonly Attempt[],
  timeouts: ProviderTimeouts,
  isStream: boolean,
): number {
  let mostMs = 0;
  for (const { instance } of attempts)
    mostMs = Math.max(mostMs, findCallTimeouts(instance, timeouts, isStream).totalMs);
  return mostMs;
}

/** Returns the latest failure, except that a 429 is kept, since it says when to retry. */
function chooseFailure(earlier: GatewayError | null, later: GatewayError): GatewayError {
  return earlier?.code === 'rate_limited' && later.code !== 'rate_limited' ? earlier : later;
}

interface Skipped extends SkippedTarget {
  readonly instance: string;
}

/** Reports a cooldown if any instance is in one, since it ends by itself. */
function noneCallableError(skipped: readonly Skipped[]): GatewayError {
  const retryAfterMs = Math.min(...skipped.map((one) => one.retryAfterMs));
  const inCooldown = skipped.filter(({ maintenance }) => maintenance === null);
  if (inCooldown.length === 0) return maintenanceError(skipped, retryAfterMs);
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

function maintenanceError(skipped: readonly Skipped[], retryAfterMs: number): GatewayError {
  const reason = skipped.find(({ maintenance }) => maintenance?.reason)?.maintenance?.reason;
  const untilMs = Math.min(
    ...skipped.map(({ maintenance }) => maintenance?.untilMs ?? Number.POSITIVE_INFINITY),
  );
  const isEndKnown = Number.isFinite(untilMs);
  const end = isEndKnown ? ` until ${new Date(untilMs).toISOString()}` : '';
  return new GatewayError(
    'provider_in_maintenance',
    `An administrator has put the provider${skipped.length === 1 ? '' : 's'} ${listNames(skipped)} in maintenance${end}${reason ? ` (${reason})` : ''}, and no other provider offers you this model. Your request is fine: use another model, or retry ${isEndKnown ? 'after that' : 'later'}.`,
    { retryAfterMs: isEndKnown ? retryAfterMs : undefined },
  );
}

function listNames(skipped: readonly Skipped[]): string {
  return skipped.map(({ instance }) => `"${instance}"`).join(', ');
}
