import { type PriceJson, type RatesJson, toNanoUsd, toUsd } from '@sluice/contract';
import { type Price, type Rates, ratesFor, type TokenCounts } from './price.ts';

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

/** Returns what a log row stores: the rates charged for this request, and the markup. */
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
  };
}

/** Omits the rates that `readRates` derives. */
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
  };
}
