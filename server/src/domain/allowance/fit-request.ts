import { type AllowanceKind, countsRequests, isMoney } from './window.ts';

/**
 * Minimum output cap, the lowest that OpenAI's responses accept; below it a request is rejected. A higher floor would
 * leave more of each limit unusable.
 */
const floorTokens = 16;
/** Minimum tokens held for a request without a cap, unless less is left. */
const unnamedHoldTokens = 256;
/**
 * Up to this many remaining tokens are split among the requests in flight; a request without a cap gets its part, or
 * all of them if it is the only one. Of larger amounts, it gets a fixed fraction.
 */
const unnamedAloneTokens = 16_384;
/** A request without a cap gets at least one part in this many of the remaining tokens. */
const unnamedPartsMax = 4;

/** The requested output and its bounds in tokens; `null` means unbounded. */
export interface CapTerms {
  /** The caller's own cap; `null` if it set none. */
  readonly namedCap: number | null;
  /** Output cap of a response if the request sets none; does not limit a caller's own cap. */
  readonly defaultCap: number;
  readonly modelMax: number | null;
  /** The task's limit per response. */
  readonly taskMax: number | null;
  /** The tenant's limit per response. */
  readonly tenantMax: number | null;
  /** Reasoning budget in tokens; 0 if the request sets none. */
  readonly thinkingBudget: number;
}

/** Returns the maximum output tokens before allowances are considered; `null` if it is below the floor. */
export function findCeiling(terms: CapTerms): number | null {
  const ceiling = Math.min(
    terms.namedCap ?? Math.max(terms.defaultCap, findFloor(terms)),
    terms.modelMax ?? Number.POSITIVE_INFINITY,
    terms.taskMax ?? Number.POSITIVE_INFINITY,
    terms.tenantMax ?? Number.POSITIVE_INFINITY,
  );
  return ceiling < findFloor(terms) ? null : ceiling;
}

/** Returns the lowest cap to which a response may be reduced, or the caller's cap if that is lower. */
export function findFloor({ namedCap, thinkingBudget }: CapTerms): number {
  const floor = thinkingBudget > 0 ? thinkingBudget + floorTokens : floorTokens;
  return Math.min(floor, namedCap ?? floor);
}

/**
 * Chooses the output cap. `affordable` is the number of output tokens that the allowances cover after the input,
 * `inFlight` the number of other requests. Returns `null` if the cap is below the floor: the request is then rejected
 * instead of truncated further.
 */
export function chooseOutputCap(
  terms: CapTerms,
  ceiling: number,
  affordable: number,
  inFlight: number,
): number | null {
  const floor = findFloor(terms);
  const share =
    terms.namedCap === null
      ? Math.max(floor, unnamedHoldTokens, findShare(affordable, inFlight))
      : Number.POSITIVE_INFINITY;
  const cap = Math.min(ceiling, affordable, share);
  return cap < floor ? null : cap;
}

function findShare(affordable: number, inFlight: number): number {
  const parts = Math.min(unnamedPartsMax, 1 + inFlight);
  return Math.floor(Math.max(Math.min(affordable, unnamedAloneTokens) / parts, affordable / unnamedPartsMax));
}

/** Multiple of the ceiling that must be affordable to leave the cap unreduced. */
const ampleParts = unnamedPartsMax;

/** Request properties that determine the amounts reserved from limits, except the length of the response. */
export interface RequestTerms extends CapTerms {
  /** Allowances to reserve from, in this order. */
  readonly kinds: readonly AllowanceKind[];
  /** Upper bound of the input tokens. */
  readonly inputTokens: number;
  /** Number of choices; the cap applies to each. */
  readonly answers: number;
  /** Maximum output tokens of a response, regardless of what is left. */
  readonly ceiling: number;
  /** Whether credits must cover the response without a lower cap: otherwise another provider serves the request. */
  readonly paysInFull: boolean;
  /**
   * Returns the maximum cost in nano-dollars of the input and this many output tokens, as the allowance at this index
   * counts it. Called only for allowances of money.
   */
  readonly costOf: (outputTokens: number, index: number) => number;
}

/** The amounts taken from the allowances, or the first allowance that is too small for even the shortest response. */
export type FittedRequest =
  | { readonly amounts: readonly number[] }
  | { readonly lacking: number; readonly amount: number };

/**
 * Reduces the cap to what is left of the allowances: one request, input and output tokens, and their maximum cost in
 * credits.
 */
export function fitRequest(terms: RequestTerms, left: readonly number[], inFlight: number): FittedRequest {
  const { kinds } = terms;
  const credits = terms.paysInFull ? kinds.indexOf('credits') : -1;
  let least = Number.POSITIVE_INFINITY;
  let lacking = 0;
  let leastBesideCredits = Number.POSITIVE_INFINITY;
  for (let index = 0; index < kinds.length; index++) {
    const affordable = findAffordable(terms, index, left[index] ?? 0);
    if (affordable < least) lacking = index;
    least = Math.min(least, affordable);
    if (index !== credits) leastBesideCredits = Math.min(leastBesideCredits, affordable);
  }
  const cap = chooseAffordable(terms, least, inFlight);
  const full = credits < 0 ? cap : chooseAffordable(terms, leastBesideCredits, inFlight);
  if (full !== null && full !== cap) return { lacking: credits, amount: findAmount(terms, credits, full) };
  if (cap !== null) return { amounts: kinds.map((_, index) => findAmount(terms, index, cap)) };
  return { lacking, amount: findLeastAmount(terms, lacking) };
}

function chooseAffordable(terms: RequestTerms, affordable: number, inFlight: number): number | null {
  return affordable < 0 ? null : chooseOutputCap(terms, terms.ceiling, affordable, inFlight);
}

/** Returns the amount that the shortest response takes from the allowance of this index. */
export function findLeastAmount(terms: RequestTerms, index: number): number {
  return findAmount(terms, index, findFloor(terms));
}

function findAmount(
  { answers, costOf, inputTokens, kinds }: RequestTerms,
  index: number,
  cap: number,
): number {
  const kind = kinds[index] ?? 'tokens_per_day';
  if (countsRequests(kind)) return 1;
  return isMoney(kind) ? costOf(cap * answers, index) : inputTokens + cap * answers;
}

/** Returns the output tokens that an allowance covers; negative if it does not cover the input. */
function findAffordable(terms: RequestTerms, index: number, left: number): number {
  const kind = terms.kinds[index] ?? 'tokens_per_day';
  if (countsRequests(kind)) return left < 1 ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  if (isMoney(kind)) return left === Number.POSITIVE_INFINITY ? left : findPayable(terms, index, left);
  return Math.floor((left - terms.inputTokens) / terms.answers);
}

function findPayable({ answers, ceiling, costOf }: RequestTerms, index: number, left: number): number {
  const ample = ceiling * ampleParts;
  if (costOf(ample * answers, index) <= left) return Number.POSITIVE_INFINITY;
  let payable = -1;
  let beyond = ample;
  while (beyond - payable > 1) {
    const middle = Math.floor((payable + beyond) / 2);
    if (costOf(middle * answers, index) <= left) payable = middle;
    else beyond = middle;
  }
  return payable;
}
