/**
 * Token counts of a completion in disjoint buckets. `reasoningTokens` is included in `outputTokens`.
 */
export interface Usage {
  readonly inputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
  /**
   * Part of `cacheWriteTokens` with a one-hour lifetime, which costs more. Absent if the protocol does not report it.
   */
  readonly cacheWriteHourTokens?: number;
  readonly outputTokens: number;
  readonly reasoningTokens: number;
  /** Audio tokens included in the other counts. Absent if the protocol does not report them. */
  readonly audioInputTokens?: number;
  readonly audioCacheReadTokens?: number;
  readonly audioOutputTokens?: number;
  /** Tokens of generated images, included in `outputTokens`. Absent if the protocol does not report them. */
  readonly imageOutputTokens?: number;
}

/** Returns the total input, including cached tokens. */
export function sumInputTokens({ inputTokens, cacheReadTokens, cacheWriteTokens }: Usage): number {
  return inputTokens + cacheReadTokens + cacheWriteTokens;
}
