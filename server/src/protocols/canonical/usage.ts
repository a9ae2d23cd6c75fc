/**
 * Tokens of one completion in disjoint buckets: the total input is `inputTokens + cacheReadTokens + cacheWriteTokens`.
 * `reasoningTokens` is included in `outputTokens`.
 */
export interface Usage {
  readonly inputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
  /**
   * The part of `cacheWriteTokens` with a one-hour lifetime, which costs more; absent if the protocol does not report
   * it.
   */
  readonly cacheWriteHourTokens?: number;
  readonly outputTokens: number;
  readonly reasoningTokens: number;
  /** Audio included in the counts above; absent if the protocol does not report it. */
  readonly audioInputTokens?: number;
  readonly audioCacheReadTokens?: number;
  readonly audioOutputTokens?: number;
  /** Generated images, included in `outputTokens`; absent if the protocol does not report them. */
  readonly imageOutputTokens?: number;
}
