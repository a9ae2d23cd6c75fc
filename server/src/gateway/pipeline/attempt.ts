import { GatewayError } from '#errors/gateway-error.ts';
import { type Admitted, type Attempt, type Attempted, addResult, type Calls } from '../exchange.ts';
import { type CallDeps, callTarget } from '../provider-call/call-target.ts';
import type { Patience } from '../provider-call/patience.ts';
import { isWorthAnotherAttempt } from '../provider-call/provider-failure.ts';

export interface AttemptDeps extends CallDeps {
  readonly patience: Patience;
}

/**
 * Stage 10: tries the planned attempts in order until a provider starts to answer. Never runs after the first byte.
 * @throws GatewayError the failure that serves the caller best; `upstream_unavailable` when none could be called at all
 */
export async function attempt(exchange: Admitted, deps: AttemptDeps): Promise<Attempted> {
  const { attempts, completion, departure } = exchange;
  const calls: Calls = { target: exchange.firstTarget, count: 0, isSent: false };
  const calling = addResult(exchange, { calls });
  const { patience } = deps;
  const { retriesMax } = patience;
  const timeouts = completion.isStream ? patience.streaming : patience.nonStreaming;
  const endsAtMs = performance.now() + timeouts.totalMs;
  let failure: GatewayError | null = null;
  let restsForMs = Number.POSITIVE_INFINITY;
  deps.retryBudget.noteRequest();
  for (const candidate of attempts) {
    const isLast = candidate === attempts.at(-1);
    const waitMaxMs = isLast ? patience.retryWaitMs : patience.retryWaitBeforeFallbackMs;
    const callsBefore = calls.count;
    const outcome = await callTarget(exchange, candidate, calls, deps, {
      timeouts,
      endsAtMs,
      retriesMax,
      waitMaxMs,
    });
    if (calls.count > callsBefore || calls.count === 0) calls.target = candidate;
    if (outcome.kind === 'answered')
      return addResult(calling, { attempt: candidate, upstream: outcome.upstream });
    if (outcome.kind === 'skipped') {
      restsForMs = Math.min(restsForMs, outcome.retryAfterMs);
      continue;
    }
    failure = chooseFailure(failure, outcome.error);
    const isOver = departure.aborted || performance.now() >= endsAtMs;
    if (isOver || !isWorthAnotherAttempt(outcome.error)) break;
  }
  throw failure ?? describeRest(attempts, restsForMs);
}

/** The latest, but for a 429, which tells when there will be an answer. */
function chooseFailure(earlier: GatewayError | null, later: GatewayError): GatewayError {
  return earlier?.code === 'rate_limited' && later.code !== 'rate_limited' ? earlier : later;
}

function describeRest(attempts: readonly Attempt[], retryAfterMs: number): GatewayError {
  const names = attempts.map(({ instance }) => `"${instance.name}"`).join(', ');
  return new GatewayError(
    'upstream_unavailable',
    `The provider ${names} has failed too often in the last moments and is left alone for a while. Please retry.`,
    { retryAfterMs },
  );
}
