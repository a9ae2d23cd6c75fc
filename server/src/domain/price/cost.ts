import { type Price, type Rates, ratesFor, type TokenBounds, type TokenCounts } from './price.ts';

/** Returns the cost of a request with these token counts in nano-dollars, including the markup. Rounded up once. */
export function costOf(counts: TokenCounts, price: Price, markupPercent: number): bigint {
  const wholeInput = counts.inputTokens + counts.cacheReadTokens + counts.cacheWriteTokens;
  return charge(counts, ratesFor(price, wholeInput), price.perRequest, markupPercent);
}

export interface CostShare {
  readonly part: 'input' | 'cache_read' | 'cache_write' | 'output' | 'reasoning' | 'request' | 'other';
  /** `null` for parts that are not priced per token. */
  readonly tokens: number | null;
  readonly nanoUsd: bigint;
}

/**
 * Splits the cost of a request by kind, omitting kinds without usage. The counts exclude audio, images and one-hour
 * caching, so their cost is in `other`. The shares add up to the cost.
 */
export function splitCost(
  total: bigint,
  counts: TokenCounts,
  price: Price,
  markupPercent: number,
): CostShare[] {
  const { cacheReadTokens, cacheWriteTokens, inputTokens, outputTokens } = counts;
  const reasoningTokens = Math.min(counts.reasoningTokens, outputTokens);
  const rates = ratesFor(price, inputTokens + cacheReadTokens + cacheWriteTokens);
  const charged = (more: Partial<TokenCounts>, perRequest = 0n) =>
    charge({ ...noTokens, ...more }, rates, perRequest, markupPercent);
  const shares: CostShare[] = [
    { part: 'input', tokens: inputTokens, nanoUsd: charged({ inputTokens }) },
    { part: 'cache_read', tokens: cacheReadTokens, nanoUsd: charged({ cacheReadTokens }) },
    { part: 'cache_write', tokens: cacheWriteTokens, nanoUsd: charged({ cacheWriteTokens }) },
    {
      part: 'output',
      tokens: outputTokens - reasoningTokens,
      nanoUsd: charged({ outputTokens: outputTokens - reasoningTokens }),
    },
    {
      part: 'reasoning',
      tokens: reasoningTokens,
      nanoUsd: charged({ outputTokens: reasoningTokens, reasoningTokens }),
    },
    { part: 'request', tokens: null, nanoUsd: charged({}, price.perRequest) },
  ];
  const used = shares.filter(({ tokens, nanoUsd }) => (tokens ?? 0) > 0 || nanoUsd > 0n);
  return closeGap(used, total - used.reduce((sum, { nanoUsd }) => sum + nanoUsd, 0n));
}

/** Each share is rounded up, so the sum exceeds the total by less than one nano-dollar per share. */
function closeGap(shares: readonly CostShare[], gap: bigint): CostShare[] {
  const [largest] = shares.toSorted((one, other) => (one.nanoUsd < other.nanoUsd ? 1 : -1));
  const isRounding = gap <= 0n && -gap < BigInt(shares.length);
  if (!isRounding || !largest)
    return gap === 0n ? [...shares] : [...shares, { part: 'other', tokens: null, nanoUsd: gap }];
  return shares.map((share) => (share === largest ? { ...share, nanoUsd: share.nanoUsd + gap } : share));
}

/** Returns the maximum of `costOf` over all requests within the bounds. */
export function holdOf(bounds: TokenBounds, price: Price, markupPercent: number): bigint {
  const { hasAudio = false, inputTokens, outputTokens } = bounds;
  const steps = (hasAudio ? dearestWithAudio : dearest).getOrInsertComputed(price, () =>
    [{ aboveInputTokens: -1, rates: price.base }, ...price.tiers].map(({ aboveInputTokens, rates }) => ({
      aboveInputTokens,
      rates: dearestOf(rates, hasAudio),
    })),
  );
  let most = 0n;
  for (const [place, { aboveInputTokens, rates }] of steps.entries()) {
    if (inputTokens <= aboveInputTokens) continue;
    const input = Math.min(inputTokens, steps[place + 1]?.aboveInputTokens ?? inputTokens);
    const counts = { ...noTokens, inputTokens: input, outputTokens };
    const cost = charge(counts, rates, price.perRequest, markupPercent);
    if (cost > most) most = cost;
  }
  return most;
}

type PriceSteps = readonly { readonly aboveInputTokens: number; readonly rates: Rates }[];

/** Cached, because every request needs the highest rates. */
const dearest = new WeakMap<Price, PriceSteps>();
const dearestWithAudio = new WeakMap<Price, PriceSteps>();

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
    times(counts.inputTokens - audioInput, rates.input) +
    times(audioInput, rates.audioInput) +
    times(counts.cacheReadTokens - audioCacheRead, rates.cacheRead) +
    times(audioCacheRead, rates.audioCacheRead) +
    times(counts.cacheWriteTokens - hour, rates.cacheWrite) +
    times(hour, rates.cacheWriteHour) +
    times(counts.outputTokens - reasoning - audioOutput - imageOutput, rates.output) +
    times(audioOutput, rates.audioOutput) +
    times(imageOutput, rates.imageOutput) +
    times(reasoning, rates.reasoning) +
    perRequest * tokensPerRate;
  const marked = sum * (wholeMarkup + BigInt(Math.round(markupPercent * 100)));
  const divisor = tokensPerRate * wholeMarkup;
  return (marked + divisor - 1n) / divisor;
}

/** Most counts of a request are 0, and arithmetic with big integers is slow. */
function times(count: number, rate: bigint): bigint {
  return count === 0 ? 0n : BigInt(count) * rate;
}

/** Returns rates at which any distribution of the tokens costs at least as much as at the given rates. */
function dearestOf(rates: Rates, hasAudio: boolean): Rates {
  const audio = hasAudio ? [rates.audioInput, rates.audioCacheRead] : [];
  const input = greatest([rates.input, rates.cacheRead, rates.cacheWrite, rates.cacheWriteHour, ...audio]);
  // A model may generate images that were not requested.
  const unasked = [rates.output, rates.reasoning, rates.imageOutput];
  const output = greatest([...unasked, ...(hasAudio ? [rates.audioOutput] : [])]);
  return { ...rates, input, output };
}

function greatest(values: readonly bigint[]): bigint {
  return values.reduce((most, value) => (value > most ? value : most), 0n);
}
