import { apiKeyIdOf } from '#domain/principal.ts';
import { GatewayError } from '#errors/gateway-error.ts';
import type { MemoryBudget } from '#platform/memory-budget.ts';
import { PacedWork, type Turns } from '#platform/paced-work.ts';
import { type Hops, hopsHeader } from '#upstream/hops.ts';
import type { Concurrency } from '../allowance/concurrency.ts';
import { type Authenticated, addResult, type Ended, type Entered } from '../exchange.ts';
import { BodyHold } from '../request-body/body-hold.ts';

export interface EnterDeps {
  readonly concurrency: Concurrency;
  readonly bodyBudget: MemoryBudget;
  readonly turns: Turns;
  readonly hops: Hops;
}

/**
 * Stage 3: takes a slot of the user and the key before the body is read, which bounds the cost of requests that are
 * not admitted yet. Rejects requests that loop back to this installation.
 */
export function enter(exchange: Authenticated, { bodyBudget, concurrency, hops, turns }: EnterDeps): Entered {
  const { principal, request } = exchange;
  if (hops.isLoop(request.headers[hopsHeader])) throw requestLoopError();
  const { userId } = principal;
  if (!concurrency.enter(userId, apiKeyIdOf(principal))) throw concurrencyLimitError();
  const bodyHold = new BodyHold(bodyBudget, userId);
  return addResult(exchange, 'enter', { bodyHold, work: new PacedWork(turns, `user ${userId}`) });
}

/** Call once when the request has ended. */
export function leave({ bodyHold, principal }: Ended, { concurrency }: EnterDeps): void {
  if (!bodyHold || !principal) return;
  bodyHold.release();
  concurrency.leave(principal.userId, apiKeyIdOf(principal));
}

function requestLoopError(): GatewayError {
  return new GatewayError(
    'request_loop',
    'This request has already passed through this gateway: the endpoint of a provider points back to it. Ask your administrator.',
  );
}

function concurrencyLimitError(): GatewayError {
  return new GatewayError(
    'too_many_at_once',
    'Too many of your requests are in flight. Wait until one of them finishes.',
    { retryAfterMs: 1_000 },
  );
}
