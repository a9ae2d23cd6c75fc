import { expect, test } from 'vitest';
import { findRetryDelayMs } from '#upstream/retry-delay.ts';

const facts = { retries: 0, retriesMax: 2, waitMaxMs: 5_000, random: 0.5 };

test('the wait doubles, and is spread over the upper half of itself', () => {
  const range = (retries: number) =>
    [0, 0.5, 1].map((random) => findRetryDelayMs({ ...facts, retries, random }));
  expect(range(0)).toEqual([125, 187.5, 250]);
  expect(range(1)).toEqual([250, 375, 500]);
});

test('a call is repeated so often and no more', () => {
  expect(findRetryDelayMs({ ...facts, retries: 2 })).toBeNull();
});

test('a wait that the provider asks for is kept, and spread after it', () => {
  const range = [0, 1].map((random) => findRetryDelayMs({ ...facts, retryAfterMs: 3_000, random }));
  expect(range).toEqual([3_000, 3_250]);
});

test('a wait that is too long is not begun', () => {
  expect(findRetryDelayMs({ ...facts, retryAfterMs: 5_000 })).toBeGreaterThanOrEqual(5_000);
  expect(findRetryDelayMs({ ...facts, retryAfterMs: 5_001 })).toBeNull();
});

test('a wait of nothing is none that was asked for', () => {
  expect(findRetryDelayMs({ ...facts, retryAfterMs: 0 })).toBe(187.5);
});
