import type { AllowanceKind } from '#domain/allowance/kind.ts';

/** Why a request does not fit. Amounts are requests, tokens, or nano-dollars for credits. */
export interface LimitFacts {
  readonly kind: AllowanceKind;
  readonly limit: number;
  readonly left: number;
  /** Minimum amount the request needs. */
  readonly amount: number;
  /** Wall-clock milliseconds of the database; infinite if the limit never resets. */
  readonly resetsAtMs: number;
  /** Whether it would fit if requests in flight did not hold the rest. */
  readonly isHeldInFlight: boolean;
}

/** Thrown when a request exceeds what is left of an allowance. */
export class LimitReached extends Error {
  override readonly name = 'LimitReached';
  readonly facts: LimitFacts;

  constructor(facts: LimitFacts) {
    super(`the allowance ${facts.kind} does not suffice`);
    this.facts = facts;
  }
}

/** Thrown when limits cannot be enforced: the database is unavailable, and the leases do not suffice. */
export class LimitsUnavailable extends Error {
  override readonly name = 'LimitsUnavailable';

  constructor(cause?: unknown) {
    super('the limits cannot be kept at the moment', { cause });
  }
}
