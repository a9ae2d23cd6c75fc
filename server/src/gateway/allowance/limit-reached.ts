import type { AllowanceKind } from '#domain/allowance/kind.ts';

/** Why a request does not fit. Amounts are requests, tokens, or for credits nano-dollars. */
export interface LimitFacts {
  readonly kind: AllowanceKind;
  readonly limit: number;
  readonly left: number;
  /** What the request needs at least. */
  readonly amount: number;
  /** Wall-clock milliseconds of the database; infinite for what never resets. */
  readonly resetsAtMs: number;
  /** It would fit, did requests in flight not hold the rest. */
  readonly isHeldInFlight: boolean;
}

/** A request does not fit into what an allowance has left. */
export class LimitReached extends Error {
  override readonly name = 'LimitReached';
  readonly facts: LimitFacts;

  constructor(facts: LimitFacts) {
    super(`the allowance ${facts.kind} does not suffice`);
    this.facts = facts;
  }
}

/** Limits cannot be kept at the moment: the database is away, and what is held does not suffice. */
export class LimitsUnavailable extends Error {
  override readonly name = 'LimitsUnavailable';

  constructor(cause?: unknown) {
    super('the limits cannot be kept at the moment', { cause });
  }
}
