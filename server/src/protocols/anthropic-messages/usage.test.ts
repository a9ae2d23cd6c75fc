import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { usage as anyUsage } from './testing/arbitrary.ts';
import { readUsage, writeUsage } from './usage.ts';

describe('readUsage', () => {
  it("U2: readUsage returns Anthropic's disjoint buckets", () => {
    expect(
      readUsage({
        input_tokens: 10,
        cache_read_input_tokens: 200,
        cache_creation_input_tokens: 30,
        output_tokens: 7,
        output_tokens_details: { thinking_tokens: 4 },
      }),
    ).toEqual({
      inputTokens: 10,
      cacheReadTokens: 200,
      cacheWriteTokens: 30,
      outputTokens: 7,
      reasoningTokens: 4,
    });
  });

  it('U2: readUsage returns one-hour cache writes as part of all cache writes', () => {
    const written = (hour: number, all = 30) =>
      readUsage({
        input_tokens: 1,
        output_tokens: 1,
        cache_creation_input_tokens: all,
        cache_creation: { ephemeral_5m_input_tokens: all - hour, ephemeral_1h_input_tokens: hour },
      });
    expect(written(20)).toMatchObject({ cacheWriteTokens: 30, cacheWriteHourTokens: 20 });
    expect(written(0)).not.toHaveProperty('cacheWriteHourTokens');
    expect(written(50)).toMatchObject({ cacheWriteHourTokens: 30 });
  });

  it('U3: readUsage replaces earlier counts instead of adding to them', () => {
    const first = readUsage({ input_tokens: 10, cache_read_input_tokens: 5, output_tokens: 1 });
    const second = readUsage({ output_tokens: 20 }, first);
    expect(second).toMatchObject({ inputTokens: 10, cacheReadTokens: 5, outputTokens: 20 });
    expect(readUsage({ input_tokens: 90, output_tokens: 21 }, second)).toMatchObject({
      inputTokens: 90,
      outputTokens: 21,
    });
  });

  it('U3: readUsage keeps one-hour cache writes, which are only in the first event', () => {
    const first = readUsage({
      input_tokens: 1,
      output_tokens: 1,
      cache_creation_input_tokens: 8,
      cache_creation: { ephemeral_1h_input_tokens: 8 },
    });
    expect(readUsage({ output_tokens: 9, cache_creation_input_tokens: 8 }, first)).toMatchObject({
      cacheWriteHourTokens: 8,
    });
  });

  it.each([
    undefined,
    null,
    {},
    'x',
    [],
    { input_tokens: -1 },
    { output_tokens: 1.5 },
    { output_tokens: 3e9 },
  ])('readUsage returns the previous usage for %j', (value) => {
    expect(readUsage(value)).toBeNull();
    const before = readUsage({ input_tokens: 1, output_tokens: 2 });
    expect(readUsage(value, before)).toBe(before);
  });

  it('readUsage limits reasoning tokens to the output tokens', () => {
    expect(readUsage({ output_tokens: 3, output_tokens_details: { thinking_tokens: 9 } })).toMatchObject({
      reasoningTokens: 3,
    });
  });

  it('readUsage accepts details that are null', () => {
    expect(
      readUsage({ input_tokens: 1, output_tokens: 2, cache_creation: null, output_tokens_details: null }),
    ).toMatchObject({ inputTokens: 1, outputTokens: 2 });
  });
});

describe('writeUsage', () => {
  it('writeUsage writes usage that readUsage restores', () => {
    fc.assert(
      fc.property(anyUsage, (usage) => {
        expect(readUsage(JSON.parse(JSON.stringify(writeUsage(usage))))).toEqual(usage);
      }),
    );
  });

  it('U2: writeUsage splits cache writes by their lifetime', () => {
    const usage = {
      inputTokens: 1,
      cacheReadTokens: 2,
      cacheWriteTokens: 30,
      cacheWriteHourTokens: 20,
      outputTokens: 3,
      reasoningTokens: 0,
    };
    expect(writeUsage(usage)).toMatchObject({
      cache_creation_input_tokens: 30,
      cache_creation: { ephemeral_5m_input_tokens: 10, ephemeral_1h_input_tokens: 20 },
    });
  });

  it('writeUsage returns zeros if usage is unknown, because clients require the fields', () => {
    expect(Object.values(writeUsage(null))).toEqual([0, 0, 0, 0]);
  });
});
