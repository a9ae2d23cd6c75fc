/**
 * Tokens of one completion in disjoint buckets: the whole input is `inputTokens + cacheReadTokens + cacheWriteTokens`.
 * `reasoningTokens` is a part of `outputTokens`.
 */
export interface Usage {
  readonly inputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
  readonly outputTokens: number;
  readonly reasoningTokens: number;
}
