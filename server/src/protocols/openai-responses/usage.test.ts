import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { usage as anyUsage } from '../openai-chat/testing/canonical-values.ts';
import { readUsage, writeUsage } from './usage.ts';

const buckets = (input: number, read: number, write: number, output: number, reasoning: number) => ({
  inputTokens: input,
  cacheReadTokens: read,
  cacheWriteTokens: write,
  outputTokens: output,
  reasoningTokens: reasoning,
});

describe('U1: usage', () => {
  it.each<[name: string, told: object, expected: object]>([
    ['of little', { input_tokens: 10, output_tokens: 5 }, buckets(10, 0, 0, 5, 0)],
    [
      'counts what was cached only once',
      { input_tokens: 10, input_tokens_details: { cached_tokens: 8 }, output_tokens: 5 },
      buckets(2, 8, 0, 5, 0),
    ],
    [
      'counts what was written to the cache only once',
      {
        input_tokens: 4_020,
        input_tokens_details: { cached_tokens: 4, cache_write_tokens: 4_012 },
        output_tokens: 5,
      },
      buckets(4, 4, 4_012, 5, 0),
    ],
    [
      'counts reasoning as a part of the output',
      {
        input_tokens: 10,
        output_tokens: 5,
        output_tokens_details: { reasoning_tokens: 3 },
        total_tokens: 15,
      },
      buckets(10, 0, 0, 5, 3),
    ],
    [
      'U6: counts reasoning that stands in the total alone',
      {
        input_tokens: 10,
        output_tokens: 5,
        output_tokens_details: { reasoning_tokens: 30 },
        total_tokens: 45,
      },
      buckets(10, 0, 0, 35, 30),
    ],
    [
      'ignores details that are null',
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
      'never caches more than there is',
      {
        input_tokens: 10,
        input_tokens_details: { cached_tokens: 12, cache_write_tokens: 3 },
        output_tokens: 5,
      },
      buckets(0, 10, 0, 5, 0),
    ],
    [
      'never thinks more than it writes',
      { input_tokens: 10, output_tokens: 5, output_tokens_details: { reasoning_tokens: 9 } },
      buckets(10, 0, 0, 5, 5),
    ],
    [
      'ignores what else a vendor tells',
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
  ])('readUsage returns null for %o', (told) => {
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
