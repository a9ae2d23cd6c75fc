import { calcPrice, findProvider, type ModelInfo, type ModelPrice } from '@pydantic/genai-prices';
import type { PriceJson, RatesJson } from '@sluice/contract';
import type { Price } from './price.ts';
import { readPrice } from './price-json.ts';

/** A model as the price list knows it. */
export interface ListedModel {
  readonly model: string;
  readonly price: Price;
  /** How many tokens fit into a conversation; `null` where the list does not say. */
  readonly contextTokens: number | null;
}

/** The price list's names of our providers; one that is not here has no list prices. */
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
 * A model at an instant (some prices change by date or by hour of the day), by the data that the price list's package
 * brings with it; it is never updated over the network. `null` for a model without a price for tokens.
 */
export function findListedModel(providerKey: string, model: string, atMs: number): ListedModel | null {
  const name = `${providerKey} ${model}`;
  const known = found.get(name);
  if (known && atMs >= known.fromMs && atMs < known.untilMs) return known.listed;
  const entry = look(providerKey, model, atMs);
  // Names come from callers too; what is forgotten is looked up again.
  if (found.size >= foundMax) found.clear();
  found.set(name, entry);
  return entry.listed;
}

/** All models of a provider that have a price. */
export function listModels(providerKey: string, atMs: number): ListedModel[] {
  const name = listNames.get(providerKey);
  const models = name === undefined ? [] : (findProvider({ providerId: name })?.models ?? []);
  return models.flatMap(({ id }) => findListedModel(providerKey, id, atMs) ?? []);
}

const listedNames = new Map<string, ReadonlySet<string>>();

/** Whether the price list has a model of exactly this name at a provider. */
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

const found = new Map<string, Entry>();
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
  const listed = price && { model, price, contextTokens: answer.model.context_window ?? null };
  return { listed, ...validity };
}

function isLasting({ prices }: ModelInfo): boolean {
  return !Array.isArray(prices);
}

/** Sound, pictures and searches are priced apart in the list; providers tell us tokens only, which pay as text. */
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

function ratesAbove(listed: ModelPrice, inputTokens: number): RatesJson {
  const optional = (name: 'cache_read' | 'cache_write' | 'cache_write_hour' | 'reasoning', key: string) =>
    listed[key] === undefined ? {} : { [name]: rateAbove(listed[key], inputTokens) };
  return {
    input: rateAbove(listed.input_mtok, inputTokens),
    ...optional('cache_read', 'cache_read_mtok'),
    ...optional('cache_write', 'cache_write_mtok'),
    ...optional('cache_write_hour', 'cache_write_1h_mtok'),
    // Embedding models put nothing out.
    output: rateAbove(listed.output_mtok, inputTokens),
    ...optional('reasoning', 'output_reasoning_mtok'),
  };
}

/** The rate of an input that is larger than so many tokens by one. */
function rateAbove(rate: ModelPrice[string], inputTokens: number): number {
  if (typeof rate !== 'object') return rate ?? 0;
  return rate.tiers.findLast(({ start }) => inputTokens >= start)?.price ?? rate.base;
}
