import { type Price, type Rates, ratesFor, type TokenBounds, type TokenCounts } from './price.ts';

/** Returns the cost in nano-dollars of a request with these tokens, including the markup; rounded up once. */
export function costOf(counts: TokenCounts, price: Price, markupPercent: number): bigint {
  const wholeInput = counts.inputTokens + counts.cacheReadTokens + counts.cacheWriteTokens;
  return charge(counts, ratesFor(price, wholeInput), price.perRequest, markupPercent);
}

/** Returns the maximum of `costOf` for any request within these bounds. */
export function holdOf(bounds: TokenBounds, price: Price, markupPercent: number): bigint {
  const { hasAudio = false, inputTokens, outputTokens } = bounds;
  const steps = [{ aboveInputTokens: -1, rates: price.base }, ...price.tiers];
  const holds = steps
    .filter(({ aboveInputTokens }) => inputTokens > aboveInputTokens)
    .map(({ rates }, place) => {
      const most = Math.min(inputTokens, steps[place + 1]?.aboveInputTokens ?? inputTokens);
      const counts = { ...noTokens, inputTokens: most, outputTokens };
      return charge(counts, dearestOf(rates, hasAudio), price.perRequest, markupPercent);
    });
  return greatest(holds);
}

const noTokens: TokenCounts = {
  inputTokens: 0,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  outputTokens: 0,
  reasoningTokens: 0,
};

const tokensPerRate = 1_000_000n;
const wholeMarkup = 10_000n;

function charge(counts: TokenCounts, rates: Rates, perRequest: bigint, markupPercent: number): bigint {
  const hour = Math.min(counts.cacheWriteHourTokens ?? 0, counts.cacheWriteTokens);
  const reasoning = Math.min(counts.reasoningTokens, counts.outputTokens);
  const audioInput = Math.min(counts.audioInputTokens ?? 0, counts.inputTokens);
  const audioCacheRead = Math.min(counts.audioCacheReadTokens ?? 0, counts.cacheReadTokens);
  const audioOutput = Math.min(counts.audioOutputTokens ?? 0, counts.outputTokens - reasoning);
  const imageOutput = Math.min(counts.imageOutputTokens ?? 0, counts.outputTokens - reasoning - audioOutput);
  const sum =
    BigInt(counts.inputTokens - audioInput) * rates.input +
    BigInt(audioInput) * rates.audioInput +
    BigInt(counts.cacheReadTokens - audioCacheRead) * rates.cacheRead +
    BigInt(audioCacheRead) * rates.audioCacheRead +
    BigInt(counts.cacheWriteTokens - hour) * rates.cacheWrite +
    BigInt(hour) * rates.cacheWriteHour +
    BigInt(counts.outputTokens - reasoning - audioOutput - imageOutput) * rates.output +
    BigInt(audioOutput) * rates.audioOutput +
    BigInt(imageOutput) * rates.imageOutput +
    BigInt(reasoning) * rates.reasoning +
    perRequest * tokensPerRate;
  const marked = sum * (wholeMarkup + BigInt(Math.round(markupPercent * 100)));
  const divisor = tokensPerRate * wholeMarkup;
  return (marked + divisor - 1n) / divisor;
}

/** Returns rates at which any split of the tokens costs at least as much. */
function dearestOf(rates: Rates, hasAudio: boolean): Rates {
  const audio = hasAudio ? [rates.audioInput, rates.audioCacheRead] : [];
  const input = greatest([rates.input, rates.cacheRead, rates.cacheWrite, rates.cacheWriteHour, ...audio]);
  // A model may make images unasked.
  const unasked = [rates.output, rates.reasoning, rates.imageOutput];
  const output = greatest([...unasked, ...(hasAudio ? [rates.audioOutput] : [])]);
  return { ...rates, input, output };
}

function greatest(values: readonly bigint[]): bigint {
  return values.reduce((most, value) => (value > most ? value : most), 0n);
}
