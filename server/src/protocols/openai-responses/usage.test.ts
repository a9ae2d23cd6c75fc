import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { usage as anyUsage } from '../openai-chat/testing/canonical-values.ts';
import { readUsage, writeUsage } from './response-object.ts';

const buckets = (input: number, read: number, write: number, output: number, reasoning: number) => ({
  inputTokens: input,
  cacheReadTokens: read,
  cacheWriteTokens: write,
  outputTokens: output,
  reasoningTokens: reasoning,
});

describe('U1: usage', () => {
  it.each<[name: string, told: object, expected: object]>([
    ['minimal usage', { input_tokens: 10, output_tokens: 5 }, buckets(10, 0, 0, 5, 0)],
    [
      'cached tokens only once',
      { input_tokens: 10, input_tokens_details: { cached_tokens: 8 }, output_tokens: 5 },
      buckets(2, 8, 0, 5, 0),
    ],
    [
      'cache writes only once',
      {
        input_tokens: 4_020,
        input_tokens_details: { cached_tokens: 4, cache_write_tokens: 4_012 },
        output_tokens: 5,
      },
      buckets(4, 4, 4_012, 5, 0),
    ],
    [
      'reasoning as part of the output',
      {
        input_tokens: 10,
        output_tokens: 5,
        output_tokens_details: { reasoning_tokens: 3 },
        total_tokens: 15,
      },
      buckets(10, 0, 0, 5, 3),
    ],
    [
      'U6: reasoning only in the total',
      {
        input_tokens: 10,
        output_tokens: 5,
        output_tokens_details: { reasoning_tokens: 30 },
        total_tokens: 45,
      },
      buckets(10, 0, 0, 35, 30),
    ],
    [
      'tokens that are only in the total as output',
      { input_tokens: 10, output_tokens: 5, total_tokens: 45 },
      buckets(10, 0, 0, 35, 0),
    ],
    [
      'a total below its parts ignored',
      { input_tokens: 10, output_tokens: 5, total_tokens: 7 },
      buckets(10, 0, 0, 5, 0),
    ],
    [
      'null details ignored',
      {
        input_tokens: 10,
        output_tokens: 5,
        total_tokens: null,
        input_tokens_details: null,
        output_tokens_details: { reasoning_tokens: null },
      },
      buckets(10, 0, 0, 5, 0),
    ],
    [
      'cached tokens limited to the input',
      {
        input_tokens: 10,
        input_tokens_details: { cached_tokens: 12, cache_write_tokens: 3 },
        output_tokens: 5,
      },
      buckets(0, 10, 0, 5, 0),
    ],
    [
      'reasoning limited to the output',
      { input_tokens: 10, output_tokens: 5, output_tokens_details: { reasoning_tokens: 9 } },
      buckets(10, 0, 0, 5, 5),
    ],
    [
      'unknown fields ignored',
      { input_tokens: 10, output_tokens: 5, cost: 0.1, num_sources_used: 0, is_byok: false },
      buckets(10, 0, 0, 5, 0),
    ],
  ])('readUsage returns disjoint buckets: %s', (_, told, expected) => {
    expect(readUsage(told)).toEqual(expected);
  });

  it.each([
    null,
    undefined,
    7,
    {},
    { input_tokens: 10 },
    { input_tokens: -1, output_tokens: 5 },
    { input_tokens: 1.5, output_tokens: 5 },
    { input_tokens: '10', output_tokens: 5 },
    { input_tokens: 3e9, output_tokens: 5 },
    { input_tokens: 10, output_tokens: 5, input_tokens_details: { cached_tokens: -3 } },
  ])('readUsage returns null for %j', (told) => {
    expect(readUsage(told)).toBeNull();
  });

  it('readUsage reads back what writeUsage wrote', () => {
    fc.assert(
      fc.property(anyUsage, (usage) => {
        expect(readUsage(writeUsage(usage))).toEqual(usage);
      }),
    );
  });

  it('writeUsage includes the total', () => {
    expect(writeUsage(buckets(2, 8, 1, 5, 3))).toEqual({
      input_tokens: 11,
      input_tokens_details: { cached_tokens: 8, cache_write_tokens: 1 },
      output_tokens: 5,
      output_tokens_details: { reasoning_tokens: 3 },
      total_tokens: 16,
    });
  });
});
