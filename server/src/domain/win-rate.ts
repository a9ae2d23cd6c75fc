/** What became of a model in all the votes that it was part of. */
export interface VoteCounts {
  readonly votes: number;
  readonly wins: number;
  /** A tie is half a win. */
  readonly ties: number;
}

export interface WinRate {
  readonly rate: number;
  readonly low: number;
  readonly high: number;
}

/** Of the normal distribution, for 95 %. */
const z = 1.959_963_984_540_054;

/**
 * The share of votes that a model has won, with Wilson's score interval of 95 %: E. B. Wilson, "Probable inference, the
 * law of succession, and statistical inference", 1927. Without votes all is open: the interval is that from 0 to 1.
 */
export function winRateOf({ votes, wins, ties }: VoteCounts): WinRate {
  if (votes === 0) return { rate: 0, low: 0, high: 1 };
  const rate = (wins + ties / 2) / votes;
  const scale = 1 + z ** 2 / votes;
  const center = (rate + z ** 2 / (2 * votes)) / scale;
  const half = (z / scale) * Math.sqrt((rate * (1 - rate)) / votes + (z / (2 * votes)) ** 2);
  // At 0 and 1 the bound is the rate itself; what arithmetic adds to it is cut off.
  return {
    rate,
    low: Math.max(0, Math.min(rate, center - half)),
    high: Math.min(1, Math.max(rate, center + half)),
  };
}
