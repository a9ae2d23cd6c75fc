import { calcPrice, findProvider } from '@pydantic/genai-prices';
import { describe, expect, it } from 'vitest';
import { findListedModel, listModels, listUnmeteredUnits } from './catalogue.ts';
import { costOf } from './cost.ts';
import type { TokenCounts } from './price.ts';

const atMs = Date.parse('2026-11-20T12:00:00Z');

const golden: [provider: string, listed: string, model: string, input: number, output: number][] = [
  ['openai', 'openai', 'gpt-3.5-turbo', 0.5, 1.5],
  ['openai', 'openai', 'gpt-4', 30, 60],
  ['openai', 'openai', 'gpt-4o', 2.5, 10],
  ['openai', 'openai', 'gpt-4o-mini', 0.15, 0.6],
  ['openai', 'openai', 'gpt-4.1', 2, 8],
  ['openai', 'openai', 'gpt-4.1-mini', 0.4, 1.6],
  ['openai', 'openai', 'gpt-5', 1.25, 10],
  ['openai', 'openai', 'gpt-5-mini', 0.25, 2],
  ['openai', 'openai', 'gpt-5.4', 2.5, 15],
  ['openai', 'openai', 'o3', 2, 8],
  ['openai', 'openai', 'o4-mini', 1.1, 4.4],
  ['openai', 'openai', 'text-embedding-3-small', 0.02, 0],
  ['anthropic', 'anthropic', 'claude-3-haiku-20240307', 0.25, 1.25],
  ['anthropic', 'anthropic', 'claude-3-5-haiku-latest', 0.8, 4],
  ['anthropic', 'anthropic', 'claude-sonnet-4-20250514', 3, 15],
  ['anthropic', 'anthropic', 'claude-sonnet-4-5-20250929', 3, 15],
  ['anthropic', 'anthropic', 'claude-haiku-4-5', 1, 5],
  ['anthropic', 'anthropic', 'claude-opus-4-1', 15, 75],
  ['google', 'google', 'gemini-2.5-pro', 1.25, 10],
  ['google', 'google', 'gemini-2.5-flash', 0.3, 2.5],
  ['google', 'google', 'gemini-2.5-flash-lite', 0.1, 0.4],
  ['deepseek', 'deepseek', 'deepseek-chat', 0.27, 1.1],
  ['mistral', 'mistral', 'mistral-small-latest', 0.1, 0.3],
  ['groq', 'groq', 'llama-3.3-70b-versatile', 0.59, 0.79],
  ['xai', 'x-ai', 'grok-4', 3, 15],
  ['cohere', 'cohere', 'command-r', 0.15, 0.6],
  ['cohere', 'cohere', 'command-a-03-2025', 2.5, 10],
  ['perplexity', 'perplexity', 'sonar-pro', 3, 15],
  ['moonshot', 'moonshotai', 'kimi-k2-0905-preview', 0.6, 2.5],
  ['together', 'together', 'meta-llama/Llama-3.3-70B-Instruct-Turbo', 0.88, 0.88],
  ['openrouter', 'openrouter', 'openai/gpt-4o', 2.5, 10],
  ['azure_openai', 'azure', 'gpt-4o', 2.5, 10],
];

const usages = [
  { inputTokens: 1000, cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens: 500 },
  { inputTokens: 7, cacheReadTokens: 90_001, cacheWriteTokens: 1234, outputTokens: 4096 },
  { inputTokens: 199_999, cacheReadTokens: 1, cacheWriteTokens: 0, outputTokens: 1 },
  { inputTokens: 150_000, cacheReadTokens: 100_000, cacheWriteTokens: 50_000, outputTokens: 10_000 },
];

describe.each(golden)('price of %s (%s): %s', (providerKey, providerId, model, input, output) => {
  const listed = findListedModel(providerKey, model, atMs);

  it("price list entry equals the vendor's published price", () => {
    expect(listed?.price.base).toMatchObject({
      input: BigInt(Math.round(input * 1e9)),
      output: BigInt(Math.round(output * 1e9)),
    });
  });

  it.each(usages)(
    "price list entry results in the price list's own cost for $inputTokens + $cacheReadTokens tokens",
    (used) => {
      const price = listed!.price;
      for (const cacheWriteHourTokens of [0, used.cacheWriteTokens]) {
        const theirs = calcPrice(
          {
            input_tokens: used.inputTokens + used.cacheReadTokens + used.cacheWriteTokens,
            cache_read_tokens: used.cacheReadTokens,
            cache_write_tokens: used.cacheWriteTokens,
            cache_write_1h_tokens: cacheWriteHourTokens,
            output_tokens: used.outputTokens,
          },
          model,
          { providerId, timestamp: new Date(atMs) },
        );
        const ours = costOf({ ...used, cacheWriteHourTokens, reasoningTokens: 0 }, price, 0);
        // The price list returns a sum of floats, whereas Sluice rounds up to the next nano-dollar.
        const difference = Number(ours) - theirs!.total_price * 1e9;
        expect(difference).toBeGreaterThan(-0.01);
        expect(difference).toBeLessThan(1.01);
      }
    },
  );
});

describe('price list', () => {
  it('price list has separate prices for cached tokens, one-hour cache writes, reasoning, large inputs and requests', () => {
    const claude = findListedModel('anthropic', 'claude-sonnet-4-5', atMs)?.price;
    expect(claude?.base).toMatchObject({
      cacheRead: 300_000_000n,
      cacheWrite: 3_750_000_000n,
      cacheWriteHour: 6_000_000_000n,
      reasoning: 15_000_000_000n,
    });
    expect(claude?.tiers).toMatchObject([
      { aboveInputTokens: 200_000, rates: { input: 6_000_000_000n, output: 22_500_000_000n } },
    ]);
    expect(findListedModel('perplexity', 'sonar-pro', atMs)?.price.perRequest).toBe(14_000_000n);
  });

  it('price list charges tokens without a separate price at the base rate', () => {
    const { base } = findListedModel('openai', 'gpt-4', atMs)!.price;
    expect(base.cacheRead).toBe(base.input);
    expect(base.cacheWriteHour).toBe(base.input);
    expect(base.reasoning).toBe(base.output);
  });

  it('price list has no price for unknown models and providers', () => {
    expect(findListedModel('openai', 'gpt-unheard-of', atMs)).toBeNull();
    expect(findListedModel('custom', 'gpt-4o', atMs)).toBeNull();
    expect(findListedModel('ollama', 'llama3', atMs)).toBeNull();
    expect(listModels('custom', atMs)).toEqual([]);
  });

  it('price list has no token price for models that have only audio or page prices', () => {
    expect(findListedModel('openai', 'whisper-1', atMs)).toBeNull();
    expect(findListedModel('mistral', 'mistral-ocr-latest', atMs)).toBeNull();
  });

  it('price list applies prices that change by date and hour, regardless of earlier lookups', () => {
    const inputAt = (instant: string, provider: string, model: string) =>
      findListedModel(provider, model, Date.parse(instant))?.price.base.input;
    for (let round = 0; round < 2; round++) {
      expect(inputAt('2025-06-09T00:00:00Z', 'openai', 'o3')).toBe(10_000_000_000n);
      expect(inputAt('2025-06-11T00:00:00Z', 'openai', 'o3')).toBe(2_000_000_000n);
      expect(inputAt('2026-11-20T12:00:00Z', 'deepseek', 'deepseek-chat')).toBe(270_000_000n);
      expect(inputAt('2026-11-20T20:00:00Z', 'deepseek', 'deepseek-chat')).toBe(135_000_000n);
    }
  });

  it('price list contains the models of a provider that have a price', () => {
    const models = listModels('anthropic', atMs);
    expect(models.length).toBeGreaterThan(10);
    expect(models.find(({ model }) => model === 'claude-sonnet-4-5')).toMatchObject({
      contextTokens: 200_000,
    });
    expect(listModels('openai', atMs).some(({ model }) => model === 'whisper-1')).toBe(false);
  });
});

describe('units of the price data', () => {
  /**
   * Units that usage reports, each with one million in token counts; `null` if requests that use the unit are
   * rejected.
   */
  const metered: Record<string, Partial<TokenCounts> | null> = {
    input_mtok: { inputTokens: 1_000_000 },
    cache_read_mtok: { cacheReadTokens: 1_000_000 },
    cache_write_mtok: { cacheWriteTokens: 1_000_000 },
    cache_write_1h_mtok: { cacheWriteTokens: 1_000_000, cacheWriteHourTokens: 1_000_000 },
    output_mtok: { outputTokens: 1_000_000 },
    output_reasoning_mtok: { outputTokens: 1_000_000, reasoningTokens: 1_000_000 },
    input_audio_mtok: { inputTokens: 1_000_000, audioInputTokens: 1_000_000 },
    cache_audio_read_mtok: { cacheReadTokens: 1_000_000, audioCacheReadTokens: 1_000_000 },
    output_audio_mtok: { outputTokens: 1_000_000, audioOutputTokens: 1_000_000 },
    output_image_mtok: { outputTokens: 1_000_000, imageOutputTokens: 1_000_000 },
    requests_kcount: null,
    web_searches_kcount: null,
    storage_searches_kcount: null,
  };
  const none = {
    inputTokens: 0,
    cacheReadTokens: 0,
    cacheWriteTokens: 0,
    outputTokens: 0,
    reasoningTokens: 0,
  };
  const vendors = new Map(golden.map(([provider, listed]) => [provider, listed]));
  const models = [...vendors].flatMap(([provider, providerId]) =>
    (findProvider({ providerId })?.models ?? []).map(({ id }) => {
      const answer = calcPrice({ input_tokens: 0 }, id, { providerId, timestamp: new Date(atMs) });
      return { provider, id, listed: answer?.model_price ?? {} };
    }),
  );
  const units = [...new Set(models.flatMap(({ listed }) => Object.keys(listed)))];

  it.each(units)('price unit %s is charged at its rate or excludes a model from credits', (unit) => {
    for (const { provider, id, listed } of models) {
      const rate = listed[unit];
      const price = findListedModel(provider, id, atMs)?.price;
      if (rate === undefined || !price) continue;
      const counts = metered[unit];
      if (counts === undefined) expect(listUnmeteredUnits(provider, id, atMs), id).not.toEqual([]);
      if (!counts || typeof rate === 'object') continue;
      const cost = Number(costOf({ ...none, ...counts }, { ...price, perRequest: 0n }, 0)) / 1e9;
      expect(cost, `${provider} ${id}`).toBeCloseTo(rate, 6);
    }
  });
});
