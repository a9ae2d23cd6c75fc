import { calcPrice, findProvider, type ModelInfo, type ModelPrice } from '@pydantic/genai-prices';
import type { PriceJson, RatesJson } from '@sluice/contract';
import type { Price } from './price.ts';
import { readPrice } from './price-json.ts';

/** A model as the price list knows it. */
export interface ListedModel {
  readonly model: string;
  readonly price: Price;
  /** What else the model is paid by, that no provider reports with an answer; in words. */
  readonly unmeteredUnits: readonly string[];
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

/** What else a listed model is paid by, that no provider reports with an answer; nothing for one that is not listed. */
export function listUnmeteredUnits(providerKey: string, model: string, atMs: number): readonly string[] {
  return findListedModel(providerKey, model, atMs)?.unmeteredUnits ?? [];
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

/** How each unit of the price list is charged. A unit that is not here counts as one that cannot be metered. */
const unitCharges: Readonly<Record<string, 'metered' | 'refused in requests'>> = {
  input_mtok: 'metered',
  cache_read_mtok: 'metered',
  cache_write_mtok: 'metered',
  cache_write_1h_mtok: 'metered',
  output_mtok: 'metered',
  output_reasoning_mtok: 'metered',
  input_audio_mtok: 'metered',
  cache_audio_read_mtok: 'metered',
  requests_kcount: 'metered',
  // Requests that ask for a search never go to an instance that is paid with credits.
  web_searches_kcount: 'refused in requests',
  storage_searches_kcount: 'refused in requests',
};

/** What models do unasked, by their names: the list has no unit for it. */
const unlistedUnits: readonly (readonly [name: RegExp, unit: string])[] = [
  [/search/i, 'searches'],
  [/(^|[-/])(audio|realtime|tts|transcribe|live|voice)(-|$)/i, 'sound'],
  [/(^|[-/])image(-|$)/i, 'pictures'],
];

function listUnmetered(model: string, listed: ModelPrice): readonly string[] {
  const units = Object.keys(listed).filter((unit) => listed[unit] !== undefined && !(unit in unitCharges));
  const words = units.map((unit) => unit.replace(/_(mtok|kcount|kpages)$/, '').replaceAll('_', ' '));
  return [...words, ...unlistedUnits.flatMap(([name, unit]) => (name.test(model) ? unit : []))];
}

/** In tokens, as providers report them. */
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
    // Embedding models put nothing out.
    output: rateAbove(listed.output_mtok, inputTokens),
    ...optional('reasoning', 'output_reasoning_mtok'),
    ...optional('audio_input', 'input_audio_mtok'),
    ...optional('audio_cache_read', 'cache_audio_read_mtok'),
    ...optional('audio_output', 'output_audio_mtok'),
  };
}

/** The rate of an input that is larger than so many tokens by one. */
function rateAbove(rate: ModelPrice[string], inputTokens: number): number {
  if (typeof rate !== 'object') return rate ?? 0;
  return rate.tiers.findLast(({ start }) => inputTokens >= start)?.price ?? rate.base;
}
