import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mergeUsage, readUsage, sumUsage, writeUsage } from './response.ts';
import { usage as anyUsage } from './testing/arbitrary.ts';

function readEvents(...events: readonly unknown[]) {
  const reported = events.reduce<ReturnType<typeof mergeUsage>>(mergeUsage, null);
  return reported && sumUsage(reported);
}

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

  it('U3: mergeUsage replaces earlier counts instead of adding to them', () => {
    const first = { input_tokens: 10, cache_read_input_tokens: 5, output_tokens: 1 };
    const second = { output_tokens: 20 };
    expect(readEvents(first, second)).toMatchObject({
      inputTokens: 10,
      cacheReadTokens: 5,
      outputTokens: 20,
    });
    expect(readEvents(first, second, { input_tokens: 90, output_tokens: 21 })).toMatchObject({
      inputTokens: 90,
      cacheReadTokens: 5,
      outputTokens: 21,
    });
  });

  it('U3: mergeUsage keeps one-hour cache writes, which are only in the first event', () => {
    const first = {
      input_tokens: 1,
      output_tokens: 1,
      cache_creation_input_tokens: 8,
      cache_creation: { ephemeral_1h_input_tokens: 8 },
    };
    expect(readEvents(first, { output_tokens: 9, cache_creation_input_tokens: 8 })).toMatchObject({
      cacheWriteHourTokens: 8,
    });
  });

  it.each([
    [undefined],
    [null],
    [{}],
    ['x'],
    [[]],
    [{ input_tokens: -1 }],
    [{ output_tokens: 1.5 }],
    [{ output_tokens: 3e9 }],
  ])('mergeUsage returns the previous usage for %j', (value) => {
    expect(readUsage(value)).toBeNull();
    const before = mergeUsage(null, { input_tokens: 1, output_tokens: 2 });
    expect(mergeUsage(before, value)).toBe(before);
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

const own = { type: 'message', input_tokens: 23_000, output_tokens: 1_000 };
const total = { input_tokens: 23_000, output_tokens: 1_000 };
const otherIteration = {
  input_tokens: 180_000,
  cache_read_input_tokens: 7,
  cache_creation_input_tokens: 9,
  cache_creation: { ephemeral_1h_input_tokens: 4 },
  output_tokens: 3_500,
  output_tokens_details: { thinking_tokens: 50 },
};
const wholeUsage = {
  inputTokens: 203_000,
  cacheReadTokens: 7,
  cacheWriteTokens: 9,
  cacheWriteHourTokens: 4,
  outputTokens: 4_500,
  reasoningTokens: 50,
};

describe('iterations', () => {
  it.each(['compaction', 'advisor_message', 'a type that is not known yet'])(
    'U2: the tokens of an iteration of type %j are added to those of the response, streamed or complete',
    (type) => {
      const usage = { ...total, iterations: [{ type, ...otherIteration }, own] };
      expect(readUsage(usage)).toEqual(wholeUsage);
      expect(readEvents({ input_tokens: 1, output_tokens: 1 }, usage)).toEqual(wholeUsage);
    },
  );

  it.each<[name: string, declined: object, inputTokens: number, outputTokens: number]>([
    ['without output is free', { input_tokens: 22_000, output_tokens: 0 }, 23_000, 1_000],
    ['after some output is added', { input_tokens: 22_000, output_tokens: 80 }, 45_000, 1_080],
  ])('U2: the response of a fallback model is counted once, and a declined attempt %s', (...one) => {
    const [, declined, inputTokens, outputTokens] = one;
    const iterations = [
      { type: 'message', ...declined },
      { type: 'fallback_message', ...total },
    ];
    const usage = { ...total, iterations };
    expect(readUsage(usage)).toMatchObject({ inputTokens, outputTokens });
    expect(readEvents({ input_tokens: 22_000, output_tokens: 1 }, usage)).toMatchObject({
      inputTokens,
      outputTokens,
    });
  });

  it('U3: iterations keep their tokens if a later event omits them', () => {
    const usage = { ...total, iterations: [{ type: 'compaction', ...otherIteration }, own] };
    expect(readEvents(usage, { output_tokens: 1_001 })).toEqual({ ...wholeUsage, outputTokens: 4_501 });
  });

  it('U3: iterations of a later event replace the earlier ones', () => {
    const one = { type: 'compaction', ...otherIteration };
    expect(readEvents({ ...total, iterations: [one, one] }, { ...total, iterations: [one, own] })).toEqual(
      wholeUsage,
    );
  });

  it('U2: readUsage counts the input of later iterations of the model, although the response counts only the first', () => {
    const iterations = [own, { ...own, input_tokens: 30_000, output_tokens: 500 }];
    expect(readUsage({ input_tokens: 23_000, output_tokens: 1_500, iterations })).toMatchObject({
      inputTokens: 53_000,
      outputTokens: 1_500,
    });
  });

  it('U2: readUsage does not count iterations twice that the response already counts', () => {
    const { type: _, ...untyped } = own;
    for (const iteration of [own, untyped])
      expect(readUsage({ ...total, iterations: [iteration] })).toMatchObject({
        inputTokens: 23_000,
        outputTokens: 1_000,
      });
  });

  it.each([[{}], ['x'], [[{ input_tokens: -1 }]], [[7]]])(
    'invalid iterations are ignored: %j',
    (iterations) => {
      expect(readUsage({ ...total, iterations })).toMatchObject({ inputTokens: 23_000, outputTokens: 1_000 });
    },
  );
});

describe('writeUsage', () => {
  it('writeUsage writes usage that readUsage reads back unchanged', () => {
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
