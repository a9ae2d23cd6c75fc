export interface VoteCounts {
  readonly votes: number;
  readonly wins: number;
  /** Number of ties. A tie counts as half a win. */
  readonly ties: number;
}

export interface WinRate {
  readonly rate: number;
  readonly low: number;
  readonly high: number;
}

/** Quantile of the normal distribution for a 95% interval. */
const z = 1.959_963_984_540_054;

/**
 * Returns the share of votes that a model won, with Wilson's 95% score interval (E. B. Wilson, "Probable inference,
 * the law of succession, and statistical inference", 1927). Without votes, the interval is 0 to 1.
 */
export function winRateOf({ votes, wins, ties }: VoteCounts): WinRate {
  if (votes === 0) return { rate: 0, low: 0, high: 1 };
  const rate = (wins + ties / 2) / votes;
  const scale = 1 + z ** 2 / votes;
  const center = (rate + z ** 2 / (2 * votes)) / scale;
  const half = (z / scale) * Math.sqrt((rate * (1 - rate)) / votes + (z / (2 * votes)) ** 2);
  // For rates of 0 and 1, the bound equals the rate. Clamping removes rounding errors.
  return {
    rate,
    low: Math.max(0, Math.min(rate, center - half)),
    high: Math.min(1, Math.max(rate, center + half)),
  };
}
