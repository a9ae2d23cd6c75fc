import { findMaintenance } from '#domain/resolve-model.ts';
import { GatewayError } from '#errors/gateway-error.ts';
import { mapInTurn, proceed } from '#platform/proceed.ts';
import { type Attempt, addResult, type Classified, type Planned } from '../exchange.ts';
import { requirePayable } from '../metering/hold-amounts.ts';
import { createAttemptPlanner, type PlanDeps, type PlannedAttempt } from '../provider-call/plan-attempt.ts';
import { requireTrusted } from '../provider-call/require-trusted.ts';
import { authorizeInstead } from './authorize.ts';

/** Stage 8: lists the attempts that can serve this request and may be paid for. */
export function plan(exchange: Classified, deps: PlanDeps): Planned | Promise<Planned> {
  const targets = requireTrusted(exchange, deps.snapshot);
  return proceed(mapInTurn(targets, createAttemptPlanner(exchange, deps)), (planned) => {
    const attempts = withoutMaintenance(requirePlanned(planned));
    return addResult(exchange, 'plan', { attempts: requirePayable(exchange, attempts, deps.snapshot) });
  });
}

function requirePlanned(planned: readonly PlannedAttempt[]): Planned['attempts'] {
  const attempts = planned.every(isAttempt) ? planned : planned.filter(isAttempt);
  if (isFilled(attempts)) return attempts;
  const refusal = planned.find((one) => one instanceof GatewayError);
  throw refusal ?? new GatewayError('upstream_error', noAddressMessage);
}

function isFilled(attempts: readonly Attempt[]): attempts is Planned['attempts'] {
  return attempts.length > 0;
}

function isAttempt(planned: PlannedAttempt): planned is Attempt {
  return planned !== null && !(planned instanceof GatewayError);
}

/** Returns `null` if the caller may not use that model or it cannot serve this request. */
export async function planInstead(exchange: Planned, model: string, deps: PlanDeps): Promise<Planned | null> {
  const classified = authorizeInstead(exchange, model, deps.snapshot);
  try {
    return classified && (await plan(classified, deps));
  } catch {
    return null;
  }
}

/** Excludes instances in maintenance if other instances remain, so that nothing is held for them. */
function withoutMaintenance(attempts: Planned['attempts']): Planned['attempts'] {
  if (attempts.every(isOpen)) return attempts;
  const open = attempts.filter(isOpen);
  return isFilled(open) ? open : attempts;
}

const isOpen = ({ instance }: Attempt) => findMaintenance(instance, Date.now()) === null;

const noAddressMessage = 'No endpoint is configured for the provider of this model. Ask your administrator.';
