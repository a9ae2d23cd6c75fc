/**
 * Tokens of one completion in disjoint buckets: the whole input is `inputTokens + cacheReadTokens + cacheWriteTokens`.
 * `reasoningTokens` is a part of `outputTokens`.
 */
export interface Usage {
  readonly inputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
  /** The part of `cacheWriteTokens` that is kept for an hour, which is dearer; absent where a protocol does not tell. */
  readonly cacheWriteHourTokens?: number;
  readonly outputTokens: number;
  readonly reasoningTokens: number;
  /** The parts that are sound; absent where a protocol reports none. */
  readonly audioInputTokens?: number;
  readonly audioCacheReadTokens?: number;
  readonly audioOutputTokens?: number;
}
