import { expect, it } from 'vitest';
import { readUsage } from './response.ts';

const tokens = { input_tokens: 1_452, output_tokens: 40 };
const nothing = { cacheReadTokens: 0, cacheWriteTokens: 0, reasoningTokens: 0 };

it('U5: readUsage returns actual tokens instead of billed units', () => {
  const billed_units = { input_tokens: 33, output_tokens: 22 };
  expect(readUsage({ billed_units, tokens })).toEqual({ ...nothing, inputTokens: 1_452, outputTokens: 40 });
});

it('U5: readUsage does not count cached tokens twice', () => {
  expect(readUsage({ tokens, cached_tokens: 1_408 })).toEqual({
    ...nothing,
    inputTokens: 44,
    cacheReadTokens: 1_408,
    outputTokens: 40,
  });
});

it('readUsage adds image tokens to the input tokens', () => {
  const withPicture = { input_tokens: 34, output_tokens: 70, image_tokens: 259 };
  expect(readUsage({ tokens: withPicture })).toMatchObject({ inputTokens: 293, outputTokens: 70 });
});

it('readUsage counts reasoning tokens as part of the output', () => {
  const withThoughts = { ...tokens, reasoning_tokens: 38 };
  expect(readUsage({ tokens: withThoughts })).toMatchObject({ outputTokens: 40, reasoningTokens: 38 });
});

it('readUsage limits cached and reasoning tokens to their totals', () => {
  const odd = { input_tokens: 10, output_tokens: 5, reasoning_tokens: 9 };
  expect(readUsage({ tokens: odd, cached_tokens: 99 })).toEqual({
    inputTokens: 0,
    cacheReadTokens: 10,
    cacheWriteTokens: 0,
    outputTokens: 5,
    reasoningTokens: 5,
  });
});

it('readUsage falls back to billed units', () => {
  expect(readUsage({ billed_units: { input_tokens: 7, output_tokens: 8 } })).toMatchObject({
    inputTokens: 7,
    outputTokens: 8,
  });
});

it('readUsage counts a missing side as 0', () => {
  expect(readUsage({ tokens: { output_tokens: 3 } })).toMatchObject({ inputTokens: 0, outputTokens: 3 });
});

it.each([
  null,
  undefined,
  'text',
  {},
  { tokens: {} },
  { tokens: { input_tokens: -1, output_tokens: 2 } },
  { tokens: { input_tokens: 1.5 } },
  { tokens: { input_tokens: 1e300 } },
  { cached_tokens: 7 },
])('readUsage returns null for %j', (value) => {
  expect(readUsage(value)).toBeNull();
});
