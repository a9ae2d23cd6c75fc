import { describe, expect, it } from 'vitest';
import { findPrice } from './catalogue.ts';
import { readPrice, toChargeJson, toPriceJson } from './price.ts';

describe('findPrice', () => {
  const mine = new Map([['gpt-4o', readPrice({ input: 1, output: 2 })]]);
  const everyones = new Map([
    ['gpt-4o', readPrice({ input: 3, output: 4 })],
    ['house-model', readPrice({ input: 0, output: 0 })],
  ]);

  it('findPrice returns the most specific override, or else the list price', () => {
    expect(findPrice('openai', 'gpt-4o', [mine, everyones])?.base.input).toBe(1_000_000_000n);
    expect(findPrice('openai', 'gpt-4o', [new Map(), everyones])?.base.input).toBe(3_000_000_000n);
    expect(findPrice('openai', 'gpt-4o', [])?.base.input).toBe(2_500_000_000n);
  });

  it('findPrice distinguishes a price of zero from a missing price', () => {
    expect(findPrice('custom', 'house-model', [everyones])).toMatchObject({
      base: { input: 0n, output: 0n },
    });
    expect(findPrice('custom', 'other-model', [everyones])).toBeNull();
  });

  it('findPrice returns fictitious prices for sandbox models', () => {
    expect(findPrice('sandbox', 'sandbox-normal', [])?.base).toMatchObject({ input: 500_000_000n });
    expect(findPrice('sandbox', 'gpt-4o', [])).toBeNull();
  });
});

describe('price JSON', () => {
  const json = {
    input: 1.25,
    cache_read: 0.125,
    cache_write_hour: 2.5,
    output: 10,
    reasoning: 12,
    per_request: 0.005,
    tiers: [{ above_input_tokens: 200_000, input: 2.5, output: 15 }],
  };

  it('price JSON is written and read without loss', () => {
    expect(toPriceJson(readPrice(json))).toEqual(json);
    expect(toPriceJson(readPrice({ input: 0, output: 0.000000001 }))).toEqual({
      input: 0,
      output: 0.000000001,
    });
  });

  it('price JSON accepts tiers in any order', () => {
    const [tier] = json.tiers;
    const price = readPrice({ ...json, tiers: [{ ...tier!, above_input_tokens: 500_000 }, tier!] });
    expect(price.tiers.map(({ aboveInputTokens }) => aboveInputTokens)).toEqual([200_000, 500_000]);
  });

  it('charge JSON of a log row contains the rates of the charged tier and the markup', () => {
    const none = { inputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };
    expect(toChargeJson({ ...none, cacheReadTokens: 200_001 }, readPrice(json), 20)).toEqual({
      input: 2.5,
      output: 15,
      per_request: 0.005,
      markup_percentage: 20,
    });
    expect(toChargeJson(none, readPrice({ input: 1, output: 2 }), 0)).toEqual({ input: 1, output: 2 });
  });
});
