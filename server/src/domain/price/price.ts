/** Nano-dollars for a million tokens of each kind; the kinds are disjoint but for `reasoning`, a part of the output. */
export interface Rates {
  readonly input: bigint;
  readonly cacheRead: bigint;
  readonly cacheWrite: bigint;
  readonly cacheWriteHour: bigint;
  readonly output: bigint;
  readonly reasoning: bigint;
  /** Sound is a part of the input, of what was read from a cache, and of the output. */
  readonly audioInput: bigint;
  readonly audioCacheRead: bigint;
  readonly audioOutput: bigint;
}

/** The rates of requests whose whole input, cached or not, has more than so many tokens. */
export interface Tier {
  readonly aboveInputTokens: number;
  readonly rates: Rates;
}

/** What a model costs. A model without a known price has none of these: it is never free by omission. */
export interface Price {
  readonly base: Rates;
  /** By rising `aboveInputTokens`. */
  readonly tiers: readonly Tier[];
  /** Nano-dollars for each request, whatever its tokens. */
  readonly perRequest: bigint;
  /** Whether sound in a request has a rate of its own; without one its cost is not known. */
  readonly isAudioPriced: boolean;
}

/** Tokens in disjoint buckets, but for the hour-long part of cache writes and the reasoning part of output. */
export interface TokenCounts {
  readonly inputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
  readonly cacheWriteHourTokens?: number;
  readonly outputTokens: number;
  readonly reasoningTokens: number;
  /** The parts that are sound; absent where there is none. */
  readonly audioInputTokens?: number;
  readonly audioCacheReadTokens?: number;
  readonly audioOutputTokens?: number;
}

/** The most that a request may use: its whole input and its whole output. */
export interface TokenBounds {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Whether some of them may be sound. */
  readonly hasAudio?: boolean;
}

/** The rates that apply to a request with such an input. */
export function ratesFor({ base, tiers }: Price, wholeInputTokens: number): Rates {
  return tiers.findLast(({ aboveInputTokens }) => wholeInputTokens > aboveInputTokens)?.rates ?? base;
}
