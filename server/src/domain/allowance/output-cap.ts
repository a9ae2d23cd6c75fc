/**
 * The least that an answer may be cut to, which is the least that OpenAI's responses take; below it a request is
 * refused. A higher floor would leave more of each limit that nobody can use.
 */
const floorTokens = 16;
/** What a request that named no cap may always hold, however little is left. */
const unnamedHoldTokens = 256;
/** Such a request holds all that is left where no other is in flight, and no less than one part in so many. */
const unnamedPartsMax = 4;

/** What a request asks for and what bounds its answer, in tokens; `null` where nothing does. */
export interface CapTerms {
  /** The caller's own cap, `null` when it named none. */
  readonly namedCap: number | null;
  /** What is assumed for a caller that named none, beside its thinking; it never limits one that did. */
  readonly defaultCap: number;
  readonly modelMax: number | null;
  /** The task's limit on one answer. */
  readonly taskMax: number | null;
  /** The tenant's limit on one answer. */
  readonly tenantMax: number | null;
  /** How many tokens the request allows for thinking, 0 when it names no budget. */
  readonly thinkingBudget: number;
}

/** The most that an answer may take, before allowances are looked at; `null` when it is below the floor. */
export function findCeiling(terms: CapTerms): number | null {
  const ceiling = Math.min(
    terms.namedCap ?? terms.defaultCap + terms.thinkingBudget,
    terms.modelMax ?? Number.POSITIVE_INFINITY,
    terms.taskMax ?? Number.POSITIVE_INFINITY,
    terms.tenantMax ?? Number.POSITIVE_INFINITY,
  );
  return ceiling < findFloor(terms) ? null : ceiling;
}

/** The least that an answer may be cut to. A caller that asks for less than the floor gets what it asked for. */
export function findFloor({ namedCap, thinkingBudget }: CapTerms): number {
  const floor = thinkingBudget > 0 ? thinkingBudget + floorTokens : floorTokens;
  return Math.min(floor, namedCap ?? floor);
}

/**
 * The output cap, given `affordable`: how many tokens of output the allowances still hold after the input, and how many
 * other requests are `inFlight`. `null` when that is below the floor: a request is refused then, never cut shorter.
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
      ? Math.max(floor, unnamedHoldTokens, Math.floor(affordable / Math.min(unnamedPartsMax, 1 + inFlight)))
      : Number.POSITIVE_INFINITY;
  const cap = Math.min(ceiling, affordable, share);
  return cap < floor ? null : cap;
}

/** So many times the ceiling must be affordable for nothing of it to be cut. */
export const ampleParts = unnamedPartsMax;
