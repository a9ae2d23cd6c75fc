import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readUsage, writeUsage } from './usage.ts';

const told = { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 };
const buckets = (some: Partial<ReturnType<typeof readUsage>>) => ({
  inputTokens: 100,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  outputTokens: 20,
  reasoningTokens: 0,
  ...some,
});

describe('readUsage', () => {
  it.each<[name: string, wire: object, expected: Partial<ReturnType<typeof readUsage>>]>([
    ['from OpenAI without details', {}, {}],
    [
      'with cached tokens, which are part of the input',
      { prompt_tokens_details: { cached_tokens: 64 } },
      { inputTokens: 36, cacheReadTokens: 64 },
    ],
    [
      'with tokens written to the cache',
      { prompt_tokens_details: { cached_tokens: 10, cache_write_tokens: 30 } },
      { inputTokens: 60, cacheReadTokens: 10, cacheWriteTokens: 30 },
    ],
    [
      'with reasoning, which is part of the output',
      { completion_tokens_details: { reasoning_tokens: 15 } },
      { reasoningTokens: 15 },
    ],
    [
      'from DeepSeek, which reports cached tokens twice',
      {
        prompt_cache_hit_tokens: 64,
        prompt_cache_miss_tokens: 36,
        prompt_tokens_details: { cached_tokens: 64 },
      },
      { inputTokens: 36, cacheReadTokens: 64 },
    ],
    [
      'from older versions of DeepSeek',
      { prompt_cache_hit_tokens: 64, prompt_cache_miss_tokens: 36 },
      { inputTokens: 36, cacheReadTokens: 64 },
    ],
    ['from Mistral', { num_cached_tokens: 99 }, { inputTokens: 1, cacheReadTokens: 99 }],
    ['from Moonshot', { cached_tokens: 10 }, { inputTokens: 90, cacheReadTokens: 10 }],
    [
      'from xAI, with reasoning only in the total',
      { total_tokens: 170, completion_tokens_details: { reasoning_tokens: 50 } },
      { outputTokens: 70, reasoningTokens: 50 },
    ],
    [
      'from Mistral, with audio only in the total',
      { total_tokens: 495, prompt_tokens_details: { audio_tokens: 375 } },
      { inputTokens: 475, audioInputTokens: 375 },
    ],
    [
      'with audio that is counted already',
      { prompt_tokens_details: { audio_tokens: 40 }, total_tokens: 120 },
      { audioInputTokens: 40 },
    ],
    [
      "from Google's compatible endpoint, with reasoning that has no count of its own",
      { total_tokens: 500 },
      { outputTokens: 400 },
    ],
    ['with a total below its parts', { total_tokens: 90 }, {}],
    ['with null for unknown values', { prompt_tokens_details: null, completion_tokens_details: null }, {}],
    [
      'with more cached tokens than input',
      { prompt_tokens_details: { cached_tokens: 400 } },
      { inputTokens: 0, cacheReadTokens: 100 },
    ],
    [
      'with more cache writes than input',
      { prompt_tokens_details: { cached_tokens: 90, cache_write_tokens: 400 } },
      { inputTokens: 0, cacheReadTokens: 90, cacheWriteTokens: 10 },
    ],
    [
      'with more reasoning than output',
      { completion_tokens_details: { reasoning_tokens: 400 } },
      { reasoningTokens: 20 },
    ],
    ['with a total that is not a number', { total_tokens: 'many' }, {}],
    ['with unknown fields', { cost: 0.1, queue_time: 0.5, latency: { ms: 4 } }, {}],
  ])('readUsage returns disjoint buckets: %s', (_, wire, expected) => {
    expect(readUsage({ ...told, ...wire })).toEqual(buckets(expected));
  });
});

it.each([
  ['a missing value', undefined],
  ['null', null],
  ['a string', '12'],
  ['a list', [1]],
  ['no output', { prompt_tokens: 1 }],
  ['a negative count', { ...told, prompt_tokens: -1 }],
  ['a fraction', { ...told, completion_tokens: 1.5 }],
  ['more than a model can write', { ...told, completion_tokens: 1e18 }],
  ['a count that is a string', { ...told, prompt_tokens: '100' }],
  ['a negative detail', { ...told, prompt_tokens_details: { cached_tokens: -1 } }],
])('readUsage returns null for %s', (_, wire) => {
  expect(readUsage(wire)).toBeNull();
});

it('readUsage reads back what writeUsage wrote', () => {
  const usage = {
    inputTokens: 5,
    cacheReadTokens: 7,
    cacheWriteTokens: 11,
    outputTokens: 13,
    reasoningTokens: 3,
  };
  expect(writeUsage(usage)).toMatchObject({ prompt_tokens: 23, completion_tokens: 13, total_tokens: 36 });
  expect(readUsage(writeUsage(usage))).toEqual(usage);
});

it("readUsage returns buckets that add up to the provider's figures and are never negative", () => {
  const count = fc.nat({ max: 1_000_000_000 });
  fc.assert(
    fc.property(
      count,
      count,
      fc.option(count),
      fc.option(count),
      fc.option(count),
      (prompt, completion, cached, written, reasoning) => {
        const usage = readUsage({
          prompt_tokens: prompt,
          completion_tokens: completion,
          total_tokens: prompt + completion,
          prompt_tokens_details: { cached_tokens: cached, cache_write_tokens: written },
          completion_tokens_details: reasoning === null ? null : { reasoning_tokens: reasoning },
        })!;
        expect(usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens).toBe(prompt);
        expect(usage.outputTokens).toBe(completion);
        expect(Math.min(...Object.values(usage))).toBeGreaterThanOrEqual(0);
        expect(usage.reasoningTokens).toBeLessThanOrEqual(completion);
      },
    ),
  );
});
