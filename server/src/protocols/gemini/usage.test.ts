import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeStream } from './testing/exchange.ts';
import { readUsage, writeUsage } from './usage.ts';

const zero = { inputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens: 0, reasoningTokens: 0 };

describe('U4: readUsage', () => {
  it.each([
    [
      'thoughts in addition to candidates',
      { promptTokenCount: 9, candidatesTokenCount: 29, thoughtsTokenCount: 258, totalTokenCount: 296 },
      { inputTokens: 9, outputTokens: 287, reasoningTokens: 258 },
    ],
    [
      'cache reads as part of the prompt',
      { promptTokenCount: 17_713, cachedContentTokenCount: 17_379, candidatesTokenCount: 68 },
      { inputTokens: 334, cacheReadTokens: 17_379, outputTokens: 68 },
    ],
    [
      "tokens of Google's tools in addition to the prompt",
      { promptTokenCount: 32, toolUsePromptTokenCount: 720, candidatesTokenCount: 341 },
      { inputTokens: 752, outputTokens: 341 },
    ],
    ['an empty response', { promptTokenCount: 14, totalTokenCount: 14 }, { inputTokens: 14 }],
    [
      'a response with only thoughts',
      { promptTokenCount: 5, thoughtsTokenCount: 100, totalTokenCount: 105 },
      { inputTokens: 5, outputTokens: 100, reasoningTokens: 100 },
    ],
    [
      'tokens that are only in the total as output',
      { promptTokenCount: 5, toolUsePromptTokenCount: 7, candidatesTokenCount: 2, totalTokenCount: 30 },
      { inputTokens: 12, outputTokens: 18 },
    ],
    [
      'cache reads limited to the prompt',
      { promptTokenCount: 5, cachedContentTokenCount: 8 },
      { inputTokens: 0, cacheReadTokens: 5 },
    ],
    ['a missing prompt count', { candidatesTokenCount: 3 }, { outputTokens: 3 }],
    ['null counts', { promptTokenCount: 3, thoughtsTokenCount: null }, { inputTokens: 3 }],
    [
      'details and traffic type ignored',
      {
        promptTokenCount: 3,
        promptTokensDetails: [{ modality: 'TEXT', tokenCount: 3 }],
        trafficType: 'ON_DEMAND',
      },
      { inputTokens: 3 },
    ],
  ])('readUsage returns disjoint buckets: %s', (_rule, told, buckets) => {
    expect(readUsage(told)).toEqual({ ...zero, ...buckets });
  });

  it.each([
    ['missing', undefined],
    ['null', null],
    ['empty', {}],
    ['only a traffic type, as in most pieces from Vertex AI', { trafficType: 'PROVISIONED_THROUGHPUT' }],
    ['only a total', { totalTokenCount: 4 }],
    ['negative', { promptTokenCount: -1 }],
    ['a fraction', { promptTokenCount: 1.5 }],
    ['a string', { promptTokenCount: '3' }],
    ['too large', { promptTokenCount: 2e12 }],
    ['a list', [3]],
  ])('readUsage returns null for usage that is %s', (_kind, told) => {
    expect(readUsage(told)).toBeNull();
  });

  it('stream decoder uses the last counts of a stream, even if they are lower', () => {
    const usages = decodeStream(
      {
        candidates: [],
        usageMetadata: { promptTokenCount: 46, candidatesTokenCount: 51, thoughtsTokenCount: 101 },
      },
      { candidates: [], usageMetadata: { promptTokenCount: 46 } },
      {
        candidates: [],
        usageMetadata: { promptTokenCount: 40, candidatesTokenCount: 22, thoughtsTokenCount: 67 },
      },
    ).flatMap((event) => (event.type === 'usage' ? [event.usage] : []));
    expect(usages).toHaveLength(3);
    expect(usages.at(-1)).toEqual({ ...zero, inputTokens: 40, outputTokens: 89, reasoningTokens: 67 });
  });

  it('stream decoder keeps the previous usage if the last piece has no token counts', () => {
    const usages = decodeStream(
      { candidates: [], usageMetadata: { promptTokenCount: 4, candidatesTokenCount: 5 } },
      { candidates: [], usageMetadata: { trafficType: 'ON_DEMAND' } },
    ).flatMap((event) => (event.type === 'usage' ? [event.usage] : []));
    expect(usages).toEqual([{ ...zero, inputTokens: 4, outputTokens: 5 }]);
  });
});

describe('writeUsage', () => {
  it('writeUsage returns counts that add up to the total', () => {
    const usage = {
      inputTokens: 6,
      cacheReadTokens: 4,
      cacheWriteTokens: 2,
      outputTokens: 9,
      reasoningTokens: 3,
    };
    expect(writeUsage(usage)).toEqual({
      promptTokenCount: 12,
      cachedContentTokenCount: 4,
      candidatesTokenCount: 6,
      thoughtsTokenCount: 3,
      totalTokenCount: 21,
    });
  });

  it('writeUsage omits cache and reasoning counts of 0', () => {
    expect(writeUsage({ ...zero, inputTokens: 1, outputTokens: 2 })).toEqual({
      promptTokenCount: 1,
      candidatesTokenCount: 2,
      totalTokenCount: 3,
    });
  });

  it('writeUsage writes usage that readUsage reads back, with cache writes counted as input', () => {
    const count = fc.nat(1_000_000);
    fc.assert(
      fc.property(count, count, count, count, fc.nat(100), (input, read, written, output, share) => {
        const reasoningTokens = Math.floor((output * share) / 100);
        const told = {
          inputTokens: input,
          cacheReadTokens: read,
          cacheWriteTokens: written,
          outputTokens: output,
          reasoningTokens,
        };
        expect(readUsage(writeUsage(told))).toEqual({
          ...told,
          inputTokens: input + written,
          cacheWriteTokens: 0,
        });
      }),
    );
  });
});
