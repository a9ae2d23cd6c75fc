import { quickParse } from '#json/quick-check.ts';
import { sumInputTokens, type Usage } from '../canonical/usage.ts';
import * as wire from './wire.ts';

/**
 * Reads OpenAI's usage in disjoint buckets; returns `null` if the usage is missing or impossible, such as a negative
 * count.
 */
export function readUsage(value: unknown): Usage | null {
  const parsed = quickParse(wire.usage, value);
  if (!parsed.success) return null;
  const told = parsed.data;
  const reasoningTokens = told.completion_tokens_details?.reasoning_tokens ?? 0;
  const audioTokens = told.prompt_tokens_details?.audio_tokens ?? 0;
  // Some tokens are only included in the total: audio at Mistral, reasoning at xAI, and reasoning without a separate
  // count at Google.
  const onlyInTotal = Math.max(0, (told.total_tokens ?? 0) - told.prompt_tokens - told.completion_tokens);
  const isReasoningApart = reasoningTokens > 0 && onlyInTotal >= reasoningTokens;
  const isAudioApart = !isReasoningApart && audioTokens > 0 && onlyInTotal >= audioTokens;
  const apartAudioTokens = isAudioApart ? audioTokens : 0;
  const wholeInput = told.prompt_tokens + apartAudioTokens;
  const outputTokens = told.completion_tokens + onlyInTotal - apartAudioTokens;
  const cacheReadTokens = Math.min(findCachedTokens(told), wholeInput);
  const writtenTokens = told.prompt_tokens_details?.cache_write_tokens ?? 0;
  const cacheWriteTokens = Math.min(writtenTokens, wholeInput - cacheReadTokens);
  const inputTokens = wholeInput - cacheReadTokens - cacheWriteTokens;
  const audioOutputTokens = told.completion_tokens_details?.audio_tokens ?? 0;
  const imageOutputTokens = told.completion_tokens_details?.image_tokens ?? 0;
  return {
    inputTokens,
    cacheReadTokens,
    cacheWriteTokens,
    outputTokens,
    reasoningTokens: Math.min(reasoningTokens, outputTokens),
    ...(audioTokens > 0 && { audioInputTokens: Math.min(audioTokens, inputTokens) }),
    ...(audioOutputTokens > 0 && { audioOutputTokens: Math.min(audioOutputTokens, outputTokens) }),
    ...(imageOutputTokens > 0 && { imageOutputTokens: Math.min(imageOutputTokens, outputTokens) }),
  };
}

// Reads the cached tokens from the fields of OpenAI, DeepSeek and Mistral, or from the one that Moonshot and Together
// use.
function findCachedTokens(told: ReturnType<typeof wire.usage.parse>): number {
  return (
    told.prompt_tokens_details?.cached_tokens ??
    told.prompt_cache_hit_tokens ??
    told.num_cached_tokens ??
    told.cached_tokens ??
    0
  );
}

export function writeUsage(usage: Usage): object {
  const { cacheReadTokens, cacheWriteTokens, outputTokens, reasoningTokens } = usage;
  const { audioInputTokens, audioOutputTokens, imageOutputTokens } = usage;
  const promptTokens = sumInputTokens(usage);
  return {
    prompt_tokens: promptTokens,
    completion_tokens: outputTokens,
    total_tokens: promptTokens + outputTokens,
    prompt_tokens_details: {
      cached_tokens: cacheReadTokens,
      cache_write_tokens: cacheWriteTokens,
      ...(audioInputTokens !== undefined && { audio_tokens: audioInputTokens }),
    },
    completion_tokens_details: {
      reasoning_tokens: reasoningTokens,
      ...(audioOutputTokens !== undefined && { audio_tokens: audioOutputTokens }),
      ...(imageOutputTokens !== undefined && { image_tokens: imageOutputTokens }),
    },
  };
}
