import type { AllowanceKind } from './kind.ts';
import { ampleParts, type CapTerms, chooseOutputCap, findFloor } from './output-cap.ts';

/** What a request takes from limits, but for how long its answer may be. */
export interface RequestTerms extends CapTerms {
  /** The allowances that it takes from, in this order. */
  readonly kinds: readonly AllowanceKind[];
  /** An upper bound. */
  readonly inputTokens: number;
  /** How many answers it wants; the cap is that of each. */
  readonly answers: number;
  /** The most that an answer may take, whatever is left. */
  readonly ceiling: number;
  /** Credits must pay for an answer that they do not cut: another provider serves the request where they cannot. */
  readonly paysInFull: boolean;
  /** What so many tokens of output, with the input, cost at most in nano-dollars; asked only where credits are taken. */
  readonly costOf: (outputTokens: number) => number;
}

/** What it takes of each allowance; or which of them lacks how much for even the shortest answer. */
export type FittedRequest =
  | { readonly amounts: readonly number[] }
  | { readonly lacking: number; readonly amount: number };

/**
 * Cuts the answer to what is left of the allowances: one request, input and output cap of tokens,
 * and of credits what these cost at most.
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

/** What it takes of an allowance with the shortest answer. */
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

/** How many tokens an answer may have by one allowance; negative when not even the input fits. */
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
