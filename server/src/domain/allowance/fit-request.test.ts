import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findCeiling, findFloor, fitRequest, type RequestTerms } from './fit-request.ts';

const terms: RequestTerms = {
  kinds: ['requests_per_hour', 'tokens_per_day', 'credits'],
  inputTokens: 100,
  answers: 1,
  namedCap: 500,
  defaultCap: 4_096,
  modelMax: null,
  taskMax: null,
  tenantMax: null,
  thinkingBudget: 0,
  ceiling: 500,
  paysInFull: false,
  costOf: (output) => 1_000 + output * 10,
};
const plenty = 1e9;

describe('fitRequest', () => {
  it('fitRequest reserves one request, its input and output cap, and their cost', () => {
    expect(fitRequest(terms, [5, plenty, plenty], 0)).toEqual({ amounts: [1, 600, 6_000] });
    expect(fitRequest({ ...terms, answers: 3 }, [5, plenty, plenty], 0)).toEqual({
      amounts: [1, 1_600, 16_000],
    });
  });

  it.each([
    ['tokens', [5, 400, plenty], [1, 400, 4_000]],
    ['credits', [5, plenty, 2_999], [1, 299, 2_990]],
  ])('fitRequest reduces the cap to the remaining %s', (_, left, amounts) => {
    expect(fitRequest(terms, left, 0)).toEqual({ amounts });
  });

  it.each([
    ['requests', [0, plenty, plenty], { lacking: 0, amount: 1 }],
    ['tokens', [5, 115, plenty], { lacking: 1, amount: 116 }],
    ['tokens for its input', [5, 50, plenty], { lacking: 1, amount: 116 }],
    ['credits', [5, plenty, 1_159], { lacking: 2, amount: 1_160 }],
    ['credits for its input', [5, plenty, 999], { lacking: 2, amount: 1_160 }],
  ])('fitRequest reports insufficient %s and the amount required', (_, left, lacking) => {
    expect(fitRequest(terms, left, 0)).toEqual(lacking);
  });

  it.each([
    [0, 4_000],
    [1, 2_000],
    [2, 1_333],
    [3, 1_000],
    [50, 1_000],
  ])(
    'fitRequest with %i other requests in flight and no cap from the caller reduces the cap to %i tokens',
    (inFlight, cap) => {
      const unnamed = { ...terms, namedCap: null, ceiling: 4_096 };
      const amounts = [1, 100 + cap, 1_000 + 10 * cap];
      expect(fitRequest(unnamed, [5, 4_100, plenty], inFlight)).toEqual({ amounts });
      expect(fitRequest(unnamed, [5, plenty, 41_000], inFlight)).toEqual({ amounts });
      expect(fitRequest(unnamed, [5, plenty, plenty], inFlight)).toEqual({ amounts: [1, 4_196, 41_960] });
    },
  );

  it('fitRequest reports insufficient credits instead of lowering the cap if another provider can serve the request without credits', () => {
    const optional = { ...terms, paysInFull: true };
    expect(fitRequest(optional, [5, plenty, 2_999], 0)).toEqual({ lacking: 2, amount: 6_000 });
    expect(fitRequest(optional, [5, plenty, 0], 0)).toEqual({ lacking: 2, amount: 6_000 });
    expect(fitRequest(optional, [5, 400, 4_000], 0)).toEqual({ amounts: [1, 400, 4_000] });
    expect(fitRequest(optional, [5, 50, 0], 0)).toMatchObject({ lacking: 1 });
  });

  it('fitRequest never reserves more than the remaining amount, and reports a shortage only if there is one', () => {
    const tokens = fc.integer({ min: 1, max: 50_000 });
    const amount = fc.oneof(fc.integer({ min: 0, max: 200_000 }), fc.constant(Number.POSITIVE_INFINITY));
    fc.assert(
      fc.property(
        fc.record({ named: fc.option(tokens), thinking: fc.oneof(fc.constant(0), tokens), input: tokens }),
        fc.integer({ min: 1, max: 5 }),
        fc.integer({ min: 1, max: 90 }),
        fc.tuple(amount, amount, amount),
        ({ named, thinking, input }, answers, rate, left) => {
          const caps = { ...terms, namedCap: named, thinkingBudget: thinking };
          const ceiling = findCeiling(caps);
          if (ceiling === null) return;
          const all = {
            ...caps,
            ceiling,
            inputTokens: input,
            answers,
            costOf: (output: number) => (input + output) * rate,
          };
          const fitted = fitRequest(all, left, 0);
          if ('amounts' in fitted) {
            for (const [index, taken] of fitted.amounts.entries())
              expect(taken).toBeLessThanOrEqual(left[index]!);
            expect(fitted.amounts[1]).toBeGreaterThanOrEqual(input + findFloor(all) * answers);
          } else {
            expect(fitted.amount).toBeGreaterThan(left[fitted.lacking]!);
          }
        },
      ),
      { numRuns: 5_000 },
    );
  });
});
