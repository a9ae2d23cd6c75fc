import { GatewayError } from '#errors/gateway-error.ts';
import { type Admitted, type Attempt, type Attempted, addResult, type Calls } from '../exchange.ts';
import { type CallDeps, callTarget } from '../provider-call/call-target.ts';
import { isWorthAnotherAttempt } from '../provider-call/provider-failure.ts';
import type { ProviderTimeouts } from '../provider-call/provider-timeouts.ts';

export interface AttemptDeps extends CallDeps {
  readonly timeouts: ProviderTimeouts;
}

/**
 * Stage 10: tries the planned attempts in order until a provider starts to answer. Never runs after the first byte.
 * @throws GatewayError the failure that serves the caller best; `upstream_unavailable` when none could be called at all
 */
export async function attempt(exchange: Admitted, deps: AttemptDeps): Promise<Attempted> {
  const { attempts, completion, abortSignal } = exchange;
  const calls: Calls = { target: exchange.firstTarget, count: 0, isSent: false };
  const calling = addResult(exchange, 'attempt', { calls });
  const { timeouts } = deps;
  const { retriesMax } = timeouts;
  const callTimeouts = completion.isStream ? timeouts.streaming : timeouts.nonStreaming;
  const endsAtMs = performance.now() + callTimeouts.totalMs;
  let failure: GatewayError | null = null;
  let openForMs = Number.POSITIVE_INFINITY;
  deps.retryBudget.recordRequest();
  for (const candidate of attempts) {
    const isLast = candidate === attempts.at(-1);
    const waitMaxMs = isLast ? timeouts.retryWaitMs : timeouts.retryWaitBeforeFallbackMs;
    const callsBefore = calls.count;
    const outcome = await callTarget(exchange, candidate, calls, deps, {
      timeouts: callTimeouts,
      endsAtMs,
      retriesMax,
      waitMaxMs,
    });
    if (calls.count > callsBefore || calls.count === 0) calls.target = candidate;
    if (outcome.kind === 'answered')
      return addResult(calling, 'attempt', { attempt: candidate, upstream: outcome.upstream });
    if (outcome.kind === 'skipped') {
      openForMs = Math.min(openForMs, outcome.retryAfterMs);
      continue;
    }
    failure = chooseFailure(failure, outcome.error);
    const isOver = abortSignal.aborted || performance.now() >= endsAtMs;
    if (isOver || !isWorthAnotherAttempt(outcome.error)) break;
  }
  throw failure ?? circuitsOpenError(attempts, openForMs);
}

/** The latest failure, except that a 429 is kept, since it says when to retry. */
function chooseFailure(earlier: GatewayError | null, later: GatewayError): GatewayError {
  return earlier?.code === 'rate_limited' && later.code !== 'rate_limited' ? earlier : later;
}

function circuitsOpenError(attempts: readonly Attempt[], retryAfterMs: number): GatewayError {
  const names = attempts.map(({ instance }) => `"${instance.name}"`).join(', ');
  return new GatewayError(
    'upstream_unavailable',
    `The provider ${names} failed too often just now and is not called for ${Math.ceil(retryAfterMs / 1000)} s. Retry after that.`,
    { retryAfterMs },
  );
}
