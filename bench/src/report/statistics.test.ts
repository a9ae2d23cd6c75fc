import { expect, test } from 'vitest';
import { median, percentile, spreadRatios } from './statistics.ts';

test('percentile returns one of the values, regardless of their order', () => {
  const hundred = Array.from({ length: 100 }, (_, index) => 100 - index);
  expect([0, 0.5, 0.99, 1].map((share) => percentile(hundred, share))).toEqual([1, 50, 99, 100]);
  expect(percentile([7], 0.99)).toBe(7);
});

test('median returns the mean of the two middle values and is not moved by an outlier', () => {
  expect(median([3, 1, 2])).toBe(2);
  expect(median([1, 2, 10, 4])).toBe(3);
  expect(median([2, 2, 900])).toBe(2);
});

test('percentile and median return 0 if there are no values', () => {
  expect([percentile([], 0.5), median([])]).toEqual([0, 0]);
});

test('spreadRatios returns the ratios within a round: median, minimum and maximum', () => {
  expect(spreadRatios([2, 9, 8], [1, 3, 2])).toEqual({ median: 3, min: 2, max: 4 });
  expect([spreadRatios([], []), spreadRatios([1], [0]), spreadRatios([1], [])]).toEqual([null, null, null]);
});
