import { type PriceJson, type RatesJson, toNanoUsd, toUsd } from '@sluice/contract';

/** Nano-dollars per million tokens of each kind. Reasoning, audio and images are parts of other kinds. */
export interface Rates {
  readonly input: bigint;
  readonly cacheRead: bigint;
  readonly cacheWrite: bigint;
  readonly cacheWriteHour: bigint;
  readonly output: bigint;
  readonly reasoning: bigint;
  /** Rate of audio tokens, which are included in the input, cache reads and output. */
  readonly audioInput: bigint;
  readonly audioCacheRead: bigint;
  readonly audioOutput: bigint;
  /** Rate of image tokens, which are included in the output. */
  readonly imageOutput: bigint;
}

/** Rates for requests whose total input, including cached tokens, exceeds `aboveInputTokens`. */
export interface Tier {
  readonly aboveInputTokens: number;
  readonly rates: Rates;
}

/** A model with an unknown price has no `Price`, so that it is never treated as free. */
export interface Price {
  readonly base: Rates;
  /** Tiers in ascending order of `aboveInputTokens`. */
  readonly tiers: readonly Tier[];
  /** Nano-dollars per request, regardless of the number of tokens. */
  readonly perRequest: bigint;
  /** Whether there is a rate for audio in requests. Otherwise the cost of audio is unknown. */
  readonly isAudioPriced: boolean;
}

/** Token counts by kind. One-hour cache writes, reasoning, audio and images are parts of other kinds. */
export interface TokenCounts {
  readonly inputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
  readonly cacheWriteHourTokens?: number;
  readonly outputTokens: number;
  readonly reasoningTokens: number;
  /** Audio part of the input tokens; absent if there is no audio. */
  readonly audioInputTokens?: number;
  readonly audioCacheReadTokens?: number;
  readonly audioOutputTokens?: number;
  /** Image part of the output tokens; absent if the response has no images. */
  readonly imageOutputTokens?: number;
}

export interface TokenBounds {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly hasAudio?: boolean;
}

export function ratesFor({ base, tiers }: Price, wholeInputTokens: number): Rates {
  return tiers.findLast(({ aboveInputTokens }) => wholeInputTokens > aboveInputTokens)?.rates ?? base;
}

export function readPrice({ per_request, tiers = [], ...base }: PriceJson): Price {
  return {
    base: readRates(base),
    tiers: tiers
      .map(({ above_input_tokens, ...rates }) => ({
        aboveInputTokens: above_input_tokens,
        rates: readRates(rates),
      }))
      .sort((one, other) => one.aboveInputTokens - other.aboveInputTokens),
    perRequest: toNanoUsd(per_request ?? 0),
    isAudioPriced: base.audio_input !== undefined,
  };
}

export function toPriceJson({ base, tiers, perRequest }: Omit<Price, 'isAudioPriced'>): PriceJson {
  return {
    ...toRatesJson(base),
    ...(perRequest > 0n && { per_request: toUsd(perRequest) }),
    ...(tiers.length > 0 && {
      tiers: tiers.map(({ aboveInputTokens, rates }) => ({
        above_input_tokens: aboveInputTokens,
        ...toRatesJson(rates),
      })),
    }),
  };
}

/** Returns the charged rates and the markup of a request, as stored in a log row. */
export function toChargeJson(
  counts: Pick<TokenCounts, 'inputTokens' | 'cacheReadTokens' | 'cacheWriteTokens'>,
  price: Price,
  markupPercent: number,
): PriceJson & { markup_percentage?: number } {
  const wholeInput = counts.inputTokens + counts.cacheReadTokens + counts.cacheWriteTokens;
  const { perRequest } = price;
  return {
    ...toPriceJson({ base: ratesFor(price, wholeInput), tiers: [], perRequest }),
    ...(markupPercent > 0 && { markup_percentage: markupPercent }),
  };
}

function readRates(rates: RatesJson): Rates {
  const cacheWrite = rates.cache_write ?? rates.input;
  return {
    input: toNanoUsd(rates.input),
    cacheRead: toNanoUsd(rates.cache_read ?? rates.input),
    cacheWrite: toNanoUsd(cacheWrite),
    cacheWriteHour: toNanoUsd(rates.cache_write_hour ?? cacheWrite),
    output: toNanoUsd(rates.output),
    reasoning: toNanoUsd(rates.reasoning ?? rates.output),
    audioInput: toNanoUsd(rates.audio_input ?? rates.input),
    audioCacheRead: toNanoUsd(rates.audio_cache_read ?? rates.audio_input ?? rates.cache_read ?? rates.input),
    audioOutput: toNanoUsd(rates.audio_output ?? rates.output),
    imageOutput: toNanoUsd(rates.image_output ?? rates.output),
  };
}

function toRatesJson(rates: Rates): RatesJson {
  return {
    input: toUsd(rates.input),
    ...(rates.cacheRead !== rates.input && { cache_read: toUsd(rates.cacheRead) }),
    ...(rates.cacheWrite !== rates.input && { cache_write: toUsd(rates.cacheWrite) }),
    ...(rates.cacheWriteHour !== rates.cacheWrite && { cache_write_hour: toUsd(rates.cacheWriteHour) }),
    output: toUsd(rates.output),
    ...(rates.reasoning !== rates.output && { reasoning: toUsd(rates.reasoning) }),
    ...(rates.audioInput !== rates.input && { audio_input: toUsd(rates.audioInput) }),
    ...(rates.audioCacheRead !== (rates.audioInput === rates.input ? rates.cacheRead : rates.audioInput) && {
      audio_cache_read: toUsd(rates.audioCacheRead),
    }),
    ...(rates.audioOutput !== rates.output && { audio_output: toUsd(rates.audioOutput) }),
    ...(rates.imageOutput !== rates.output && { image_output: toUsd(rates.imageOutput) }),
  };
}
