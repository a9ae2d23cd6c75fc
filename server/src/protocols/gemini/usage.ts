import { isObject } from '#json/json-value.ts';
import { sumInputTokens, type Usage } from '../canonical/usage.ts';

/** Google's usage, sent in every piece of a stream. `promptTokenCount` includes cache reads. */
interface WireUsage {
  readonly promptTokenCount?: unknown;
  readonly cachedContentTokenCount?: unknown;
  /** Tokens read by Google's own tools, in addition to the prompt. */
  readonly toolUsePromptTokenCount?: unknown;
  readonly candidatesTokenCount?: unknown;
  /** Thinking tokens, in addition to `candidatesTokenCount`. */
  readonly thoughtsTokenCount?: unknown;
  readonly totalTokenCount?: unknown;
  readonly promptTokensDetails?: unknown;
  readonly cacheTokensDetails?: unknown;
  readonly candidatesTokensDetails?: unknown;
}

/** Returns the tokens in disjoint buckets; `null` if there are no counts, as in most pieces from Vertex AI. */
export function readUsage(value: unknown): Usage | null {
  const told: WireUsage = isObject(value) ? value : {};
  const prompt = readCount(told.promptTokenCount);
  const candidates = readCount(told.candidatesTokenCount);
  const thoughts = readCount(told.thoughtsTokenCount);
  if (prompt === null && candidates === null && thoughts === null) return null;
  const promptTokens = prompt ?? 0;
  const reasoningTokens = thoughts ?? 0;
  const toolTokens = readCount(told.toolUsePromptTokenCount) ?? 0;
  const outputTokens = (candidates ?? 0) + reasoningTokens;
  const totalTokens = readCount(told.totalTokenCount) ?? 0;
  const cacheReadTokens = Math.min(readCount(told.cachedContentTokenCount) ?? 0, promptTokens);
  const audioCacheReadTokens = countOf('AUDIO', told.cacheTokensDetails);
  const audioInputTokens = Math.max(0, countOf('AUDIO', told.promptTokensDetails) - audioCacheReadTokens);
  const audioOutputTokens = countOf('AUDIO', told.candidatesTokensDetails);
  const imageOutputTokens = countOf('IMAGE', told.candidatesTokensDetails);
  return {
    inputTokens: promptTokens - cacheReadTokens + toolTokens,
    cacheReadTokens,
    cacheWriteTokens: 0,
    // Tokens that are only included in the total count as output, which costs most.
    outputTokens: Math.max(outputTokens, totalTokens - promptTokens - toolTokens),
    reasoningTokens,
    ...(audioInputTokens > 0 && { audioInputTokens }),
    ...(audioCacheReadTokens > 0 && { audioCacheReadTokens }),
    ...(audioOutputTokens > 0 && { audioOutputTokens }),
    ...(imageOutputTokens > 0 && { imageOutputTokens }),
  };
}

interface WireModality {
  readonly modality?: unknown;
  readonly tokenCount?: unknown;
}

function countOf(kind: 'AUDIO' | 'IMAGE', details: unknown): number {
  let tokens = 0;
  for (const detail of Array.isArray(details) ? details : []) {
    const { modality, tokenCount }: WireModality = isObject(detail) ? detail : {};
    if (modality === kind) tokens += readCount(tokenCount) ?? 0;
  }
  return tokens;
}

const countMax = 2_000_000_000;

function readCount(value: unknown): number | null {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= countMax
    ? value
    : null;
}

export function writeUsage(usage: Usage): object {
  const { cacheReadTokens, outputTokens, reasoningTokens } = usage;
  const promptTokens = sumInputTokens(usage);
  return {
    promptTokenCount: promptTokens,
    candidatesTokenCount: outputTokens - reasoningTokens,
    totalTokenCount: promptTokens + outputTokens,
    ...(cacheReadTokens > 0 && { cachedContentTokenCount: cacheReadTokens }),
    ...(reasoningTokens > 0 && { thoughtsTokenCount: reasoningTokens }),
    ...writeDetails('promptTokensDetails', {
      AUDIO: (usage.audioInputTokens ?? 0) + (usage.audioCacheReadTokens ?? 0),
    }),
    ...writeDetails('cacheTokensDetails', { AUDIO: usage.audioCacheReadTokens }),
    ...writeDetails('candidatesTokensDetails', {
      AUDIO: usage.audioOutputTokens,
      IMAGE: usage.imageOutputTokens,
    }),
  };
}

function writeDetails(field: string, counts: Readonly<Record<string, number | undefined>>): object {
  const details = Object.entries(counts).flatMap(([modality, tokenCount = 0]) =>
    tokenCount > 0 ? [{ modality, tokenCount }] : [],
  );
  return details.length > 0 ? { [field]: details } : {};
}
