/**
 * Nano-dollars per million tokens of each kind. The kinds are disjoint, except `reasoning`, which is part of the
 * output.
 */
export interface Rates {
  readonly input: bigint;
  readonly cacheRead: bigint;
  readonly cacheWrite: bigint;
  readonly cacheWriteHour: bigint;
  readonly output: bigint;
  readonly reasoning: bigint;
  /** Audio is part of the input, cache reads and output. */
  readonly audioInput: bigint;
  readonly audioCacheRead: bigint;
  readonly audioOutput: bigint;
}

/** Rates of requests whose total input, including cached tokens, exceeds this many tokens. */
export interface Tier {
  readonly aboveInputTokens: number;
  readonly rates: Rates;
}

/** Price of a model. A model without a known price does not have one: it is never free by omission. */
export interface Price {
  readonly base: Rates;
  /** In ascending order of `aboveInputTokens`. */
  readonly tiers: readonly Tier[];
  /** Nano-dollars per request, regardless of tokens. */
  readonly perRequest: bigint;
  /** Whether audio in a request has a rate; otherwise its cost is unknown. */
  readonly isAudioPriced: boolean;
}

/** Tokens in disjoint buckets, except one-hour cache writes and reasoning, which are parts of others. */
export interface TokenCounts {
  readonly inputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
  readonly cacheWriteHourTokens?: number;
  readonly outputTokens: number;
  readonly reasoningTokens: number;
  /** Audio parts of the counts above; absent if there is none. */
  readonly audioInputTokens?: number;
  readonly audioCacheReadTokens?: number;
  readonly audioOutputTokens?: number;
}

/** Maximum usage of a request: its total input and output. */
export interface TokenBounds {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Whether some of the tokens may be audio. */
  readonly hasAudio?: boolean;
}

/** Returns the rates for a request with this total input. */
export function ratesFor({ base, tiers }: Price, wholeInputTokens: number): Rates {
  return tiers.findLast(({ aboveInputTokens }) => wholeInputTokens > aboveInputTokens)?.rates ?? base;
}
