import { z } from 'zod';

/**
 * Money is integer nano-dollars (1e-9 USD) internally, and US dollars with at most 9 decimals in JSON. A JSON number
 * represents these amounts exactly up to 4.5 million dollars.
 */
export const usd = z.number();

/** Days are in the tenant's time zone. */
export const spend = { spend_usd_today: usd, spend_usd_month: usd, spend_usd_last_month: usd };

export type Spend = z.infer<z.ZodObject<typeof spend>>;

const decimals = 9;

export const amountProblem = 'Please enter a valid amount greater than 0';

/** Ranges from $0.000000001 to $10,000. */
export const usdAmount = z
  .number(amountProblem)
  .positive(amountProblem)
  .max(10_000, 'Maximum recharge amount is $10,000')
  .refine(hasNanoUsd, 'An amount can have at most 9 decimals');

/** True for whole numbers of nano-dollars. */
export function hasNanoUsd(dollars: number): boolean {
  return Number(dollars.toFixed(decimals)) === dollars;
}

/** Rounds to the nearest nano-dollar. */
export function toNanoUsd(dollars: number): bigint {
  return BigInt(dollars.toFixed(decimals).replace('.', ''));
}

export function toUsd(nanoUsd: bigint): number {
  return Number(nanoUsd) / 10 ** decimals;
}

const rate = z.number().min(0).max(1_000_000).refine(hasNanoUsd, 'A price can have at most 9 decimals');

/**
 * Price in dollars per million tokens of each kind. A missing rate defaults to the rate of the broader kind: cache
 * reads and writes to input, 1-hour writes to writes, reasoning and images to output, audio to text.
 */
const ratesJson = z.strictObject({
  input: rate,
  cache_read: rate.optional(),
  cache_write: rate.optional(),
  cache_write_hour: rate.optional(),
  output: rate,
  reasoning: rate.optional(),
  audio_input: rate.optional(),
  audio_cache_read: rate.optional(),
  audio_output: rate.optional(),
  image_output: rate.optional(),
});

/** `tiers` contains rates for requests whose total input exceeds a number of tokens. */
export const priceJson = ratesJson.extend({
  per_request: rate.optional(),
  tiers: z
    .array(ratesJson.extend({ above_input_tokens: z.number().int().min(0) }))
    .max(10)
    .optional(),
});

export type RatesJson = z.infer<typeof ratesJson>;
export type PriceJson = z.infer<typeof priceJson>;

/** `parallel_requests` limits how many requests are in flight. */
export const budgetMeasures = ['usd', 'tokens', 'requests', 'parallel_requests'] as const;

export type BudgetMeasure = (typeof budgetMeasures)[number];
