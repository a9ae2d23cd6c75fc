import { expect, it } from 'vitest';
import { compareRanks, median } from './compare-ranks.ts';

it('median returns the middle value, or the mean of the two middle values', () => {
  expect([median([3, 1, 2]), median([4, 1, 3, 2])]).toEqual([2, 2.5]);
});

const numbers = (from: number, step: number) => Array.from({ length: 30 }, (_, index) => from + index * step);

it('compareRanks distinguishes samples of two distributions from samples of one', () => {
  expect(compareRanks(numbers(0, 2), numbers(1, 2))).toBeGreaterThan(0.8);
  expect(compareRanks(numbers(0, 1), numbers(12.5, 1))).toBeLessThan(0.001);
  expect(compareRanks(numbers(0, 1), numbers(100, 1))).toBeLessThan(1e-9);
});

it('compareRanks returns a tabulated p-value of the test', () => {
  // For the ranks 1 to 10, with a sum of 19 for five of them, U = 4 and z = 1.776.
  expect(compareRanks([1, 2, 3, 4, 9], [5, 6, 7, 8, 10])).toBeCloseTo(0.076, 3);
});
