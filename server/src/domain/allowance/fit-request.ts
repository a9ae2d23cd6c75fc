import { type AllowanceKind, countsRequests, isMoney } from './window.ts';

/**
 * Minimum output cap, equal to the minimum of OpenAI's Responses API. Requests with a lower cap are rejected. A
 * higher floor would leave more of each limit unusable.
 */
const floorTokens = 16;
/** Minimum number of tokens held for a request without a cap, unless fewer tokens are left. */
const unnamedHoldTokens = 256;
/**
 * At most this many remaining tokens are divided among the requests in flight. If more remain, a request without a
 * cap gets a fixed fraction.
 */
const unnamedAloneTokens = 16_384;
/**
 * Maximum number of parts that the remaining tokens are divided into. A request without a cap gets at least one part.
 */
const unnamedPartsMax = 4;

export interface CapTerms {
  /** Cap set by the caller; `null` if the caller set no cap. */
  readonly namedCap: number | null;
  /** Output cap of requests that set none. Does not limit a cap set by the caller. */
  readonly defaultCap: number;
  readonly modelMax: number | null;
  readonly taskMax: number | null;
  readonly tenantMax: number | null;
  readonly thinkingBudget: number;
}

/** Returns the maximum output tokens without considering allowances; `null` if this is below the floor. */
export function findCeiling(terms: CapTerms): number | null {
  const ceiling = Math.min(
    terms.namedCap ?? Math.max(terms.defaultCap, findFloor(terms)),
    terms.modelMax ?? Number.POSITIVE_INFINITY,
    terms.taskMax ?? Number.POSITIVE_INFINITY,
    terms.tenantMax ?? Number.POSITIVE_INFINITY,
  );
  return ceiling < findFloor(terms) ? null : ceiling;
}

export function findFloor({ namedCap, thinkingBudget }: CapTerms): number {
  const floor = thinkingBudget > 0 ? thinkingBudget + floorTokens : floorTokens;
  return Math.min(floor, namedCap ?? floor);
}

/**
 * Chooses the output cap. `affordable` is the number of output tokens that the allowances cover after the input.
 * `inFlight` is the number of other requests in flight. Returns `null` if the cap would be below the floor, so that
 * the request is rejected rather than truncated further.
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

const ampleParts = unnamedPartsMax;

export interface RequestTerms extends CapTerms {
  readonly kinds: readonly AllowanceKind[];
  readonly inputTokens: number;
  /** Number of choices. The cap applies to each choice. */
  readonly answers: number;
  /** Maximum output tokens of a response, regardless of the remaining allowances. */
  readonly ceiling: number;
  /**
   * Whether credits must cover the response without a lower cap. If credits are insufficient, another provider serves
   * the request.
   */
  readonly paysInFull: boolean;
  /**
   * Returns the maximum cost in nano-dollars of the input and the given output tokens, according to the allowance at
   * this index. Only called for monetary allowances.
   */
  readonly costOf: (outputTokens: number, index: number) => number;
}

export type FittedRequest =
  | { readonly amounts: readonly number[] }
  | { readonly lacking: number; readonly amount: number };

/**
 * Reduces the output cap to what the allowances cover. Reserves one request, the input and output tokens, and their
 * maximum cost.
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

/** Returns the amount of the allowance at this index that the shortest response needs. */
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

/** Returns the number of output tokens covered by an allowance; negative if the allowance does not cover the input. */
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
