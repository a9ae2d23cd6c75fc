/**
 * Minimum output cap, the lowest that OpenAI's responses accept; below it a request is rejected. A higher floor would
 * leave more of each limit unusable.
 */
const floorTokens = 16;
/** Minimum tokens held for a request without a cap, unless less is left. */
const unnamedHoldTokens = 256;
/**
 * Such a request takes all that is left up to this, if no other is in flight, and a part of it otherwise; beyond it, its
 * share of all that is left.
 */
const unnamedAloneTokens = 16_384;
/** It gets at least this fraction of what is left. */
const unnamedPartsMax = 4;

/** The requested output and its bounds in tokens; `null` means unbounded. */
export interface CapTerms {
  /** The caller's own cap; `null` if it set none. */
  readonly namedCap: number | null;
  /** The model's maximum, which a response without a cap may have; never limits a caller's own cap. */
  readonly defaultCap: number;
  readonly modelMax: number | null;
  /** The task's limit per response. */
  readonly taskMax: number | null;
  /** The tenant's limit per response. */
  readonly tenantMax: number | null;
  /** Reasoning budget in tokens; 0 if the request sets none. */
  readonly thinkingBudget: number;
}

/** Returns the maximum output tokens before allowances are considered; `null` if below the floor. */
export function findCeiling(terms: CapTerms): number | null {
  const ceiling = Math.min(
    terms.namedCap ?? Math.max(terms.defaultCap, findFloor(terms)),
    terms.modelMax ?? Number.POSITIVE_INFINITY,
    terms.taskMax ?? Number.POSITIVE_INFINITY,
    terms.tenantMax ?? Number.POSITIVE_INFINITY,
  );
  return ceiling < findFloor(terms) ? null : ceiling;
}

/** Returns the minimum to which a response may be cut, or the caller's cap if it is below the floor. */
export function findFloor({ namedCap, thinkingBudget }: CapTerms): number {
  const floor = thinkingBudget > 0 ? thinkingBudget + floorTokens : floorTokens;
  return Math.min(floor, namedCap ?? floor);
}

/**
 * Chooses the output cap. `affordable` is the output tokens that the allowances hold after the input, `inFlight` the
 * number of other requests. `null` if below the floor: the request is then rejected, never cut shorter.
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
export const ampleParts = unnamedPartsMax;
