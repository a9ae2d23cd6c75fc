import { calcPrice, findProvider, type ModelInfo, type ModelPrice } from '@pydantic/genai-prices';
import type { PriceJson, RatesJson } from '@sluice/contract';
import { type Price, readPrice } from './price.ts';

export interface ListedModel {
  readonly model: string;
  readonly price: Price;
  readonly unmeteredUnits: readonly string[];
  /** Context length in tokens; `null` if unknown. */
  readonly contextTokens: number | null;
}

/** Names of providers in the price list. Other providers have no list prices. */
const listNames: ReadonlyMap<string, string> = new Map(
  Object.entries({
    openai: 'openai',
    anthropic: 'anthropic',
    google: 'google',
    azure_openai: 'azure',
    deepseek: 'deepseek',
    mistral: 'mistral',
    cohere: 'cohere',
    groq: 'groq',
    xai: 'x-ai',
    openrouter: 'openrouter',
    together: 'together',
    fireworks: 'fireworks',
    perplexity: 'perplexity',
    moonshot: 'moonshotai',
  }),
);

/**
 * Finds a model's entry in the bundled price list at an instant, because some prices change by date or hour. The list
 * is never updated over the network. Returns `null` for a model without a token price.
 */
export function findListedModel(providerKey: string, model: string, atMs: number): ListedModel | null {
  const ofProvider = found.get(providerKey) ?? new Map<string, Entry>();
  const known = ofProvider.get(model);
  if (known && atMs >= known.fromMs && atMs < known.untilMs) return known.listed;
  const entry = look(providerKey, model, atMs);
  // Limit the cache size, because callers can send any name. Evicted entries are looked up again.
  if (foundCount >= foundMax) {
    found.clear();
    ofProvider.clear();
    foundCount = 0;
  }
  foundCount++;
  found.set(providerKey, ofProvider.set(model, entry));
  return entry.listed;
}

/**
 * Returns a listed model's additional charges that providers do not report in responses. Returns an empty list if the
 * model is not listed.
 */
export function listUnmeteredUnits(providerKey: string, model: string, atMs: number): readonly string[] {
  return findListedModel(providerKey, model, atMs)?.unmeteredUnits ?? [];
}

export function listModels(providerKey: string, atMs: number): ListedModel[] {
  const name = listNames.get(providerKey);
  const models = name === undefined ? [] : (findProvider({ providerId: name })?.models ?? []);
  return models.flatMap(({ id }) => findListedModel(providerKey, id, atMs) ?? []);
}

const listedNames = new Map<string, ReadonlySet<string>>();

/** Whether the provider's price list contains exactly this model name. */
export function isListedName(providerKey: string, model: string): boolean {
  const providerId = listNames.get(providerKey);
  if (providerId === undefined) return false;
  const readNames = () => new Set(findProvider({ providerId })?.models.map(({ id }) => id));
  return listedNames.getOrInsertComputed(providerId, readNames).has(model);
}

interface Entry {
  readonly listed: ListedModel | null;
  readonly fromMs: number;
  readonly untilMs: number;
}

const found = new Map<string, Map<string, Entry>>();
let foundCount = 0;
const foundMax = 5_000;
const minuteMs = 60_000;

function look(providerKey: string, model: string, atMs: number): Entry {
  const always = { fromMs: Number.NEGATIVE_INFINITY, untilMs: Number.POSITIVE_INFINITY };
  const providerId = listNames.get(providerKey);
  const answer =
    providerId === undefined
      ? null
      : calcPrice({ input_tokens: 0 }, model, { providerId, timestamp: new Date(atMs) });
  if (!answer) return { listed: null, ...always };
  const fromMs = atMs - (atMs % minuteMs);
  const validity = isLasting(answer.model) ? always : { fromMs, untilMs: fromMs + minuteMs };
  const price = toPrice(answer.model_price);
  const unmeteredUnits = listUnmetered(model, answer.model_price);
  const listed = price && {
    model,
    price,
    unmeteredUnits,
    contextTokens: answer.model.context_window ?? null,
  };
  return { listed, ...validity };
}

function isLasting({ prices }: ModelInfo): boolean {
  return !Array.isArray(prices);
}

/** Charge type of each unit in the price list. Other units are unmetered. */
const unitCharges: Readonly<Record<string, 'metered' | 'refused in requests'>> = {
  input_mtok: 'metered',
  cache_read_mtok: 'metered',
  cache_write_mtok: 'metered',
  cache_write_1h_mtok: 'metered',
  output_mtok: 'metered',
  output_reasoning_mtok: 'metered',
  input_audio_mtok: 'metered',
  cache_audio_read_mtok: 'metered',
  output_image_mtok: 'metered',
  requests_kcount: 'metered',
  // Requests with a web search are never sent to an instance that is paid with credits.
  web_searches_kcount: 'refused in requests',
  storage_searches_kcount: 'refused in requests',
};

/** Charges for unrequested model activity, by model name. The price list has no unit for these charges. */
const unlistedUnits: readonly (readonly [name: RegExp, unit: string])[] = [
  [/search/i, 'searches'],
  [/(^|[-/])(audio|realtime|tts|transcribe|live|voice)(-|$)/i, 'audio'],
  [/(^|[-/])image(-|$)/i, 'images'],
];

function listUnmetered(model: string, listed: ModelPrice): readonly string[] {
  const units = Object.keys(listed).filter((unit) => listed[unit] !== undefined && !(unit in unitCharges));
  const words = units.map((unit) => unit.replace(/_(mtok|kcount|kpages)$/, '').replaceAll('_', ' '));
  return [...words, ...unlistedUnits.flatMap(([name, unit]) => (name.test(model) ? unit : []))];
}

/** Returns `null` for a model without an input token price. */
function toPrice(listed: ModelPrice): Price | null {
  if (listed.input_mtok === undefined) return null;
  const starts = Object.values(listed).flatMap((rate) =>
    typeof rate === 'object' ? rate.tiers.map(({ start }) => start) : [],
  );
  const json: PriceJson = {
    ...ratesAbove(listed, -1),
    per_request: rateAbove(listed.requests_kcount, -1) / 1000,
    tiers: [...new Set(starts)].map((start) => ({ above_input_tokens: start, ...ratesAbove(listed, start) })),
  };
  return readPrice(json);
}

type OptionalRate = Exclude<keyof RatesJson, 'input' | 'output'>;

function ratesAbove(listed: ModelPrice, inputTokens: number): RatesJson {
  const optional = (name: OptionalRate, key: string) =>
    listed[key] === undefined ? {} : { [name]: rateAbove(listed[key], inputTokens) };
  return {
    input: rateAbove(listed.input_mtok, inputTokens),
    ...optional('cache_read', 'cache_read_mtok'),
    ...optional('cache_write', 'cache_write_mtok'),
    ...optional('cache_write_hour', 'cache_write_1h_mtok'),
    // Embedding models have no output.
    output: rateAbove(listed.output_mtok, inputTokens),
    ...optional('reasoning', 'output_reasoning_mtok'),
    ...optional('audio_input', 'input_audio_mtok'),
    ...optional('audio_cache_read', 'cache_audio_read_mtok'),
    ...optional('audio_output', 'output_audio_mtok'),
    ...optional('image_output', 'output_image_mtok'),
  };
}

function rateAbove(rate: ModelPrice[string], inputTokens: number): number {
  if (typeof rate !== 'object') return rate ?? 0;
  return rate.tiers.findLast(({ start }) => inputTokens >= start)?.price ?? rate.base;
}

/** Prices set by administrators, by model. The first entry that contains the model applies. */
export type PriceOverrides = readonly { get(model: string): Price | undefined }[];

/** Returns `null` if the price is unknown. An unknown price never means free. */
export function findPrice(
  providerKey: string,
  model: string,
  overrides: PriceOverrides = [],
  atMs = Date.now(),
): Price | null {
  for (const prices of overrides) {
    const price = prices.get(model);
    if (price) return price;
  }
  if (providerKey === 'sandbox') return model.startsWith('sandbox-') ? sandboxPrice : null;
  return findListedModel(providerKey, model, atMs)?.price ?? null;
}

/** Fictitious price for testing prices, credits and budgets without a provider account. */
const sandboxPrice = readPrice({
  input: 0.5,
  cache_read: 0.05,
  cache_write: 0.625,
  cache_write_hour: 1,
  output: 2,
});
