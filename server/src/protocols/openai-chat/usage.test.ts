import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readUsage, writeUsage } from './usage.ts';

const count = fc.nat({ max: 1_000_000_000 });

describe('usage', () => {
  it('comes in disjoint buckets that add up to what the provider has told', () => {
    fc.assert(
      fc.property(
        count,
        count,
        fc.option(count),
        fc.option(count),
        (prompt, completion, cached, reasoning) => {
          const told = {
            prompt_tokens: prompt,
            completion_tokens: completion,
            total_tokens: prompt + completion,
          };
          const usage = readUsage({
            ...told,
            prompt_tokens_details: { cached_tokens: cached },
            completion_tokens_details: reasoning === null ? null : { reasoning_tokens: reasoning },
          })!;
          expect(writeUsage(usage)).toEqual(told);
          expect(Math.min(...Object.values(usage))).toBeGreaterThanOrEqual(0);
          expect(usage.cacheReadTokens).toBe(Math.min(cached ?? 0, prompt));
          expect(usage.reasoningTokens).toBe(Math.min(reasoning ?? 0, completion));
        },
      ),
    );
  });

  it('takes reasoning as output where the provider counts it apart', () => {
    expect(
      readUsage({
        prompt_tokens: 429,
        completion_tokens: 44,
        total_tokens: 975,
        completion_tokens_details: { reasoning_tokens: 502 },
      }),
    ).toMatchObject({ inputTokens: 429, outputTokens: 546, reasoningTokens: 502 });
  });

  it.each([
    undefined,
    null,
    {},
    'x',
    { prompt_tokens: 1 },
    { prompt_tokens: -1, completion_tokens: 1 },
    { prompt_tokens: 1.5, completion_tokens: 1 },
    { prompt_tokens: 1, completion_tokens: 1e18 },
    { prompt_tokens: '1', completion_tokens: 1 },
  ])('is none: %j', (value) => {
    expect(readUsage(value)).toBeNull();
  });
});
