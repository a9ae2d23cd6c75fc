import { GatewayError } from '#errors/gateway-error.ts';
import { PacedWork, type Turns } from '#platform/turns.ts';
import type { Concurrency } from '../allowance/concurrency.ts';
import { type BodyBudget, BodyHold } from '../body-budget.ts';
import type { Authenticated } from './authenticate.ts';

/** A request that has its place on this node: until `leave`, it takes a slot of its person and key. */
export interface Entered extends Authenticated {
  /** What its body holds of this node's memory. */
  readonly bodyHold: BodyHold;
  /** Spreads what its body costs over passes of the event loop. */
  readonly work: PacedWork;
  /** Gives back all of it; to be called once, when the request has ended. */
  readonly leave: () => void;
}

export interface EnterDeps {
  readonly concurrency: Concurrency;
  readonly bodyBudget: BodyBudget;
  readonly turns: Turns;
}

/** Stage 3: a slot of the person and the key, before their body is read: what it costs before admission is bounded by it. */
export function enter(exchange: Authenticated, { bodyBudget, concurrency, turns }: EnterDeps): Entered {
  const { principal, record } = exchange;
  const { userId } = principal;
  const { apiKeyId } = record;
  if (!concurrency.enter(userId, apiKeyId)) throw describeCrowd();
  const bodyHold = new BodyHold(bodyBudget, userId);
  const leave = () => {
    bodyHold.release();
    concurrency.leave(userId, apiKeyId);
  };
  return Object.assign(exchange, { bodyHold, work: new PacedWork(turns, `user ${userId}`), leave });
}

function describeCrowd(): GatewayError {
  return new GatewayError(
    'too_many_at_once',
    'Too many of your requests are in flight. Wait until one of them has ended.',
    { retryAfterMs: 1_000 },
  );
}
