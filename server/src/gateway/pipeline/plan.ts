import { findMaintenance } from '#domain/resolve-model.ts';
import { GatewayError } from '#errors/gateway-error.ts';
import { type Attempt, addResult, type Classified, type Planned } from '../exchange.ts';
import { requirePayable } from '../metering/request-limits.ts';
import { createAttemptPlanner, type PlanDeps } from '../provider-call/plan-attempt.ts';
import { requireTrusted } from '../provider-call/require-trusted.ts';
import { authorizeInstead } from './authorize.ts';

/** Stage 8: lists the attempts that can serve this request and may be paid for. */
export async function plan(exchange: Classified, deps: PlanDeps): Promise<Planned> {
  const targets = requireTrusted(exchange, deps.snapshot);
  const planAttempt = createAttemptPlanner(exchange, deps);
  const attempts: Attempt[] = [];
  let refusal: GatewayError | null = null;
  for (const target of targets) {
    const planned = await planAttempt(target);
    if (planned instanceof GatewayError) refusal ??= planned;
    else if (planned) attempts.push(planned);
  }
  if (attempts.length === 0) throw refusal ?? new GatewayError('upstream_error', noAddressMessage);
  return addResult(exchange, 'plan', {
    attempts: requirePayable(exchange, withoutMaintenance(attempts), deps.snapshot),
  });
}

/** Plans for another model; returns `null` if the caller may not use it or it cannot serve this request. */
export async function planInstead(exchange: Planned, model: string, deps: PlanDeps): Promise<Planned | null> {
  const classified = authorizeInstead(exchange, model, deps.snapshot);
  return classified && plan(classified, deps).catch(() => null);
}

/** Excludes instances in maintenance while others remain, so that nothing is held for them. */
function withoutMaintenance(attempts: readonly Attempt[]): readonly Attempt[] {
  const nowMs = Date.now();
  const open = attempts.filter(({ instance }) => findMaintenance(instance, nowMs) === null);
  return open.length > 0 ? open : attempts;
}

const noAddressMessage = 'No endpoint is configured for the provider of this model. Ask your administrator.';
