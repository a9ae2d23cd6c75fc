import { randomUUIDv7 } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { orderBlindly } from './to-comparison.ts';

const answersOf = (count: number) => Array.from({ length: count }, () => ({ id: randomUUIDv7() }));

describe('orderBlindly', () => {
  it("orderBlindly does not depend on the form's order and contains each answer once", () => {
    const shuffled = fc
      .integer({ min: 2, max: 6 })
      .map(answersOf)
      .chain((answers) =>
        fc.tuple(fc.constant(answers), fc.shuffledSubarray(answers, { minLength: answers.length })),
      );
    fc.assert(
      fc.property(shuffled, fc.nat(), ([answers, others], viewerId) => {
        const seen = orderBlindly(answers, viewerId);
        expect(orderBlindly(others, viewerId)).toEqual(seen);
        expect(seen.map(({ label }) => label).join('')).toBe('ABCDEF'.slice(0, answers.length));
        expect(new Set(seen.map(({ answer }) => answer))).toEqual(new Set(answers));
        expect(answers.map(({ id }) => id)).not.toContain(seen[0]?.blindId);
      }),
    );
  });

  it("orderBlindly puts the form's first row first half of the time, and its order differs among users", () => {
    const trials = 2_000;
    let firstCount = 0;
    let sameCount = 0;
    for (let trial = 0; trial < trials; trial++) {
      const answers = answersOf(2);
      const [mine, yours] = [1, 2].map((viewerId) => orderBlindly(answers, viewerId)[0]?.answer);
      if (mine === answers[0]) firstCount++;
      if (mine === yours) sameCount++;
    }
    // Allow a deviation of six standard deviations of a fair coin.
    const slack = 6 * Math.sqrt(trials / 4);
    expect(Math.abs(firstCount - trials / 2)).toBeLessThan(slack);
    expect(Math.abs(sameCount - trials / 2)).toBeLessThan(slack);
  });
});
