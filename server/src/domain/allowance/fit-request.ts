import type { AllowanceKind } from './kind.ts';
import { ampleParts, type CapTerms, chooseOutputCap, findFloor } from './output-cap.ts';

/** Request properties that determine what it takes from limits, without the length of its response. */
export interface RequestTerms extends CapTerms {
  /** Allowances that it takes from, in this order. */
  readonly kinds: readonly AllowanceKind[];
  /** An upper bound. */
  readonly inputTokens: number;
  /** Number of choices; the cap applies to each. */
  readonly answers: number;
  /** Maximum output tokens of a response, regardless of what is left. */
  readonly ceiling: number;
  /** Whether credits must cover the response without a lower cap: otherwise another provider serves the request. */
  readonly paysInFull: boolean;
  /** Returns the maximum cost in nano-dollars of the input and this many output tokens; only called for credits. */
  readonly costOf: (outputTokens: number) => number;
}

/** The amount taken from each allowance; or the allowance that lacks an amount for even the shortest response. */
export type FittedRequest =
  | { readonly amounts: readonly number[] }
  | { readonly lacking: number; readonly amount: number };

/**
 * Reduces the cap to what is left of the allowances: one request, input and output tokens, and their maximum cost in
 * credits.
 */
export function fitRequest(terms: RequestTerms, left: readonly number[], inFlight: number): FittedRequest {
  const { ceiling, kinds } = terms;
  const affordable = kinds.map((kind, index) => findAffordable(terms, kind, left[index] ?? 0));
  const least = Math.min(...affordable);
  const choose = (tokens: number) => (tokens < 0 ? null : chooseOutputCap(terms, ceiling, tokens, inFlight));
  const cap = choose(least);
  const credits = terms.paysInFull ? kinds.indexOf('credits') : -1;
  const full = credits < 0 ? cap : choose(Math.min(...affordable.toSpliced(credits, 1)));
  if (full !== null && full !== cap) return { lacking: credits, amount: findAmount(terms, 'credits', full) };
  if (cap !== null) return { amounts: kinds.map((kind) => findAmount(terms, kind, cap)) };
  const lacking = affordable.indexOf(least);
  return { lacking, amount: findLeastAmount(terms, kinds[lacking] ?? 'tokens_per_day') };
}

/** Returns the amount taken from an allowance for the shortest response. */
export function findLeastAmount(terms: RequestTerms, kind: AllowanceKind): number {
  return findAmount(terms, kind, findFloor(terms));
}

function findAmount(
  { answers, costOf, inputTokens }: RequestTerms,
  kind: AllowanceKind,
  cap: number,
): number {
  if (kind === 'requests_per_hour') return 1;
  return kind === 'credits' ? costOf(cap * answers) : inputTokens + cap * answers;
}

/** Returns the output tokens that an allowance covers; negative if it does not cover the input. */
function findAffordable(terms: RequestTerms, kind: AllowanceKind, left: number): number {
  if (kind === 'requests_per_hour') return left < 1 ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  if (kind === 'credits') return findPayable(terms, left);
  return Math.floor((left - terms.inputTokens) / terms.answers);
}

function findPayable({ answers, ceiling, costOf }: RequestTerms, left: number): number {
  const ample = ceiling * ampleParts;
  if (costOf(ample * answers) <= left) return Number.POSITIVE_INFINITY;
  let payable = -1;
  let beyond = ample;
  while (beyond - payable > 1) {
    const middle = Math.floor((payable + beyond) / 2);
    if (costOf(middle * answers) <= left) payable = middle;
    else beyond = middle;
  }
  return payable;
}
