import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CapTerms, chooseOutputCap, findCeiling } from './fit-request.ts';

const plain: CapTerms = {
  namedCap: null,
  defaultCap: 4_096,
  modelMax: null,
  taskMax: null,
  tenantMax: null,
  thinkingBudget: 0,
};
const plenty = 10_000_000;
const choose = (terms: Partial<CapTerms>, affordable = plenty) => {
  const all = { ...plain, ...terms };
  const ceiling = findCeiling(all);
  return ceiling === null ? 'below the floor' : chooseOutputCap(all, ceiling, affordable, 3);
};

describe('output cap', () => {
  it.each<[what: string, terms: Partial<CapTerms>, affordable: number, cap: number | null | string]>([
    ['is the default if the caller set none', {}, plenty, 4_096],
    ["is the caller's own, even above the default", { namedCap: 9_000 }, plenty, 9_000],
    ["is bounded by the model's maximum", { namedCap: 9_000, modelMax: 8_192 }, plenty, 8_192],
    ["is bounded by the task's limit", { taskMax: 1_000 }, plenty, 1_000],
    ['is bounded by what is left', { namedCap: 9_000 }, 700, 700],
    ['is a quarter of what is left if the caller set none', {}, 4_000, 1_000],
    ['is 256 if a quarter is less', {}, 700, 256],
    ['is all that is left below 256', {}, 100, 100],
    ['is rejected below 16', {}, 15, null],
    ['may be below 16 if the caller asks for it', { namedCap: 5 }, 15, 5],
    ['is not reduced if it is below 16', { namedCap: 5 }, 4, null],
    ['includes the reasoning budget', { namedCap: 4_000, thinkingBudget: 2_000 }, 2_016, 2_016],
    [
      'is rejected if the reasoning budget does not fit',
      { namedCap: 4_000, thinkingBudget: 2_000 },
      2_015,
      null,
    ],
    ['includes the reasoning budget if the caller set no cap', { thinkingBudget: 2_000 }, 2_500, 2_016],
    ['has room for the reasoning budget beyond the default', { thinkingBudget: 10_000 }, plenty, 10_016],
    [
      'is rejected if it is below the reasoning budget',
      { taskMax: 1_000, thinkingBudget: 2_000 },
      plenty,
      'below the floor',
    ],
  ])('the output cap %s', (_, terms, affordable, cap) => {
    expect(choose(terms, affordable)).toBe(cap);
  });

  it('chooseOutputCap never exceeds a bound and returns null only below the floor', () => {
    const tokens = fc.integer({ min: 1, max: 200_000 });
    const maybe = fc.option(tokens);
    const terms = fc.record({
      namedCap: maybe,
      defaultCap: fc.constantFrom(4_096, 16_384),
      modelMax: maybe,
      taskMax: maybe,
      thinkingBudget: fc.oneof(fc.constant(0), tokens),
    });
    fc.assert(
      fc.property(terms, fc.integer({ min: -1_000, max: 300_000 }), (all, affordable) => {
        const cap = choose(all, affordable);
        const floor = Math.min(all.namedCap ?? Infinity, 16 + all.thinkingBudget);
        const bounds = [all.namedCap, all.modelMax, all.taskMax, affordable].filter(
          (bound) => bound !== null,
        );
        if (typeof cap !== 'number') return Math.min(...bounds) < floor;
        return cap >= floor && bounds.every((bound) => cap <= bound);
      }),
      { numRuns: 5_000 },
    );
  });
});
