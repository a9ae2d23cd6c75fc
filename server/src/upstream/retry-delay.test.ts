import { expect, test } from 'vitest';
import { findRetryDelayMs } from './retries.ts';

const facts = { retries: 0, retriesMax: 2, waitMaxMs: 5_000, random: 0.5 };

test('findRetryDelayMs doubles the delay and jitters its upper half', () => {
  const range = (retries: number) =>
    [0, 0.5, 1].map((random) => findRetryDelayMs({ ...facts, retries, random }));
  expect(range(0)).toEqual([125, 187.5, 250]);
  expect(range(1)).toEqual([250, 375, 500]);
});

test('findRetryDelayMs returns null after the last allowed retry', () => {
  expect(findRetryDelayMs({ ...facts, retries: 2 })).toBeNull();
});

test('findRetryDelayMs respects the requested wait and adds jitter to it', () => {
  const range = [0, 1].map((random) => findRetryDelayMs({ ...facts, retryAfterMs: 3_000, random }));
  expect(range).toEqual([3_000, 3_250]);
});

test('findRetryDelayMs returns null when the requested wait exceeds the maximum', () => {
  expect(findRetryDelayMs({ ...facts, retryAfterMs: 5_000 })).toBeGreaterThanOrEqual(5_000);
  expect(findRetryDelayMs({ ...facts, retryAfterMs: 5_001 })).toBeNull();
});

test('findRetryDelayMs treats a requested wait of 0 as none', () => {
  expect(findRetryDelayMs({ ...facts, retryAfterMs: 0 })).toBe(187.5);
});
